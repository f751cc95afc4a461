// The store that a run of the suite looks at, and fresh spaces in it: every case has a space of its
// own, so that one open store serves all of them and no case sees another.
import { createHash } from 'node:crypto'
import type { ExpectedQuestion } from '../../retrieval/evidence.ts'
import type { ReembeddingStore, VectorModel } from '../generation.ts'
import type { KeyRecord, NewKey, SpaceId } from '../records.ts'
import type { KeyStore, MemoryStore, SpaceStore, Store } from '../store.ts'

/** A new store in each call, and what re-embeds the same data from outside. */
export type OpenStore = () => Promise<{
  store: Store
  openReembedding: () => Promise<ReembeddingStore>
}>

/** Vectors belong to the generation that was in use when the space was made, unless a case says. */
type CaseMemories = Omit<MemoryStore, 'insert' | 'search' | 'expectSearch'> & {
  insert: (...args: WithDefault<Parameters<MemoryStore['insert']>>) => Promise<void>
  search: (
    ...args: WithDefault<Parameters<MemoryStore['search']>>
  ) => ReturnType<MemoryStore['search']>
  expectSearch: (question: ExpectedQuestion, generation?: number) => void
}
type WithDefault<Args> = Args extends [infer A, infer B, infer C, infer D, ...unknown[]]
  ? [A, B, C, D?]
  : never

type CaseSpace = Omit<SpaceStore, 'memories'> & { memories: CaseMemories }

export type FreshSpace = CaseSpace & { spaceId: SpaceId; keyId: string }

/**
 * The model that the vectors of the cases are said to come from. Of an odd dimension, so that no driver may
 * count on an even one.
 */
export const MODEL: VectorModel = { id: 'test', dimension: 5, piecesVersion: 1, source: undefined }
export const OTHER_MODEL: VectorModel = {
  ...MODEL,
  id: 'other',
  source: { kind: 'local', folder: '/models/other' },
}

export type Subject = {
  readonly store: Store
  newSpace(): Promise<FreshSpace>
}

export function subjectOf(store: Store): Subject {
  return {
    store,
    async newSpace() {
      const { id, spaceId } = await insertedKey(store, newKey())
      const { number } = await store.generations.adopt(MODEL)
      return { ...caseSpace(store, spaceId, number), spaceId, keyId: id }
    },
  }
}

export function caseSpace(store: Store, spaceId: SpaceId, inUse: number): CaseSpace {
  const space = store.forSpace(spaceId)
  const { memories } = space
  return {
    ...space,
    memories: {
      ...memories,
      insert: (memory, pieces, receipt, generation = inUse) =>
        memories.insert(memory, pieces, receipt, generation),
      search: (query, filter, cut, generation = inUse) =>
        memories.search(query, filter, cut, generation),
      expectSearch: (question, generation = inUse) => memories.expectSearch(question, generation),
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

/** What takes the place of a key gets its plan and limits from that one. */
export function replacementOf(fields: Partial<NewKey> = {}): Omit<NewKey, 'plan' | 'limits'> {
  const { plan: _plan, limits: _limits, ...key } = newKey(fields)
  return key
}

export async function insertedKey(store: Store, key: NewKey): Promise<KeyRecord> {
  await store.keys.insert(key)
  return storedKey(store.keys, key)
}

/** Of a key that was inserted, by whichever store of its. */
export async function storedKey(
  keys: Pick<KeyStore, 'findByHash'>,
  { hash }: Pick<NewKey, 'hash'>,
): Promise<KeyRecord> {
  const record = await keys.findByHash(hash)
  if (record === undefined) throw new Error('A key is not found right after it was inserted.')
  return record
}
