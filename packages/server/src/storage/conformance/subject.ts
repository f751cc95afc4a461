// The store that a run of the suite looks at, and fresh spaces in it: every case has a space of its
// own, so that one open store serves all of them and no case sees another.
import { createHash } from 'node:crypto'
import type { KeyRecord, NewKey, SpaceId, SpaceStore, Store } from '../store.ts'

export type OpenStore = () => Promise<Store>

export type FreshSpace = SpaceStore & { spaceId: SpaceId; keyId: string }

export type Subject = {
  readonly store: Store
  newSpace(): Promise<FreshSpace>
}

export function subjectOf(store: Store): Subject {
  return {
    store,
    async newSpace() {
      const { id, spaceId } = await insertedKey(store, newKey())
      return { ...store.forSpace(spaceId), spaceId, keyId: id }
    },
  }
}

let keys = 0

export function newKey(fields: Partial<NewKey> = {}): NewKey {
  keys += 1
  return {
    id: `key_${String(keys).padStart(6, '0')}`,
    name: `Key ${keys}`,
    plan: 'free',
    limits: { read: undefined, write: undefined, search: undefined },
    createdAt: 1_800_000_000_000 + keys,
    hash: createHash('sha256').update(`key ${keys}`).digest(),
    ...fields,
  }
}

export async function insertedKey(store: Store, key: NewKey): Promise<KeyRecord> {
  await store.keys.insert(key)
  const record = await store.keys.findByHash(key.hash)
  if (record === undefined) throw new Error('A key is not found right after it was inserted.')
  return record
}
