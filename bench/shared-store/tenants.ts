// Tenants for the shared store: keys with an empty space each, filled through the store's interface.
import { inFlight } from '../../eval/client.ts'
import type { SpaceId } from '../../packages/server/src/storage/records.ts'
import type { Store } from '../../packages/server/src/storage/store.ts'
import { adoptBundled, newTenants } from '../data/filled-store.ts'
import { numbers } from '../data/numbers.ts'
import type { MixedMemories } from './mixed-memories.ts'

export const IN_FLIGHT = 64

export type Tenant = { space: SpaceId; keyId: string }
export type Filled = { store: Store; generation: number }

export async function filled(store: Store): Promise<Filled> {
  return { store, generation: await adoptBundled(store) }
}

export async function tenant(store: Store): Promise<Tenant> {
  const [one] = await newTenants(store, 1)
  if (one === undefined) throw new Error('A key is not found right after it was stored.')
  return one
}

export async function create(
  { store, generation }: Filled,
  owner: Tenant | undefined,
  sample: MixedMemories,
  number: number,
): Promise<void> {
  if (owner === undefined) throw new Error('There is nobody to create it for.')
  const { memory, pieces } = sample.memory(number)
  const receipt = { charge: { keyId: owner.keyId, month: '2026-11' } }
  await store.forSpace(owner.space).memories.insert(memory, pieces, receipt, generation)
}

export async function fill(
  into: Filled,
  owner: Tenant,
  sample: MixedMemories,
  count: number,
): Promise<void> {
  await inFlight(numbers(count), IN_FLIGHT, (number) => create(into, owner, sample, number))
}
