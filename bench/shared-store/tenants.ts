// Tenants for the shared store: keys with an empty space each, filled through the store's interface.
import { randomBytes } from 'node:crypto'
import { inFlight } from '../../eval/client.ts'
import { NO_LIMITS_OF_ITS_OWN } from '../../packages/server/src/core/keys.ts'
import type { SpaceId } from '../../packages/server/src/storage/records.ts'
import type { Store } from '../../packages/server/src/storage/store.ts'
import { numbers } from '../data/numbers.ts'
import { DIMENSION } from '../data/sample.ts'
import type { MixedMemories } from './mixed-memories.ts'

export const IN_FLIGHT = 64
const MODEL = { id: 'bench', dimension: DIMENSION, piecesVersion: 1, source: undefined }

export type Tenant = { space: SpaceId; keyId: string }
export type Filled = { store: Store; generation: number }

export async function filled(store: Store): Promise<Filled> {
  return { store, generation: (await store.generations.adopt(MODEL)).number }
}

/** Each with a key and an empty space of its own. */
export async function manyTenants(store: Store, count: number): Promise<Tenant[]> {
  const hashes = numbers(count).map(() => randomBytes(32))
  await inFlight(hashes, 16, (hash, place) =>
    store.keys.insert({
      id: `key_${hash.toString('hex')}`,
      name: `bench ${place}`,
      plan: 'enterprise',
      limits: NO_LIMITS_OF_ITS_OWN,
      createdAt: place,
      hash,
    }),
  )
  const records = await Promise.all(hashes.map((hash) => store.keys.findByHash(hash)))
  return records.flatMap((key) => (key ? [{ space: key.spaceId, keyId: key.id }] : []))
}

export async function tenant(store: Store): Promise<Tenant> {
  const [one] = await manyTenants(store, 1)
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
