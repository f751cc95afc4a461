// Creating, finding and forgetting memories. The model runs before the store is touched: no
// transaction is ever open while a text is embedded.
import { SEARCH_LIMIT_DEFAULT, THRESHOLD_DEFAULT } from '../contract/bounds.ts'
import { ApiError } from '../contract/errors.ts'
import { splitTagList } from '../contract/fields.ts'
import type {
  Memory,
  MemoryListItem,
  MemoryListQuery,
  MemorySearch,
  NewMemory,
  SearchResult,
  SearchResults,
} from '../contract/memories.ts'
import { type Deleted, type List, toList, toPageRequest } from '../contract/page.ts'
import type { Explanation } from '../retrieval/explanation.ts'
import type { MemoryRecord, ScoredMemory } from '../storage/records.ts'
import type { MemoryStore, Pace, Receipt, SpaceStore } from '../storage/store.ts'
import { CommitBatch } from './commit-batch.ts'
import type { Identity, Stamp } from './ids.ts'
import { metadataOf, metadataText } from './metadata.ts'
import type { ModelInUse } from './model-in-use.ts'
import { toTimestamp } from './timestamp.ts'

export type ExplainedResult = { result: SearchResult; explanation: Explanation | undefined }

type Searchable = {
  spaceId: number
  left?: AbortSignal | undefined
  memories: Pick<MemoryStore, 'expectSearch' | 'search'>
}

/** Memories of a bulk that are committed together, and how long the first of them waits. */
const BULK_COMMIT_MEMORIES = 64
const BULK_WAIT_MS = 100
/** The same for others, once so many are under way that they queue for the model. */
const PATIENT_COMMIT_MEMORIES = 16
const PATIENT_WAIT_MS_MAX = 25
const QUEUEING_FROM_CREATES = 8

export class Memories {
  readonly #model: ModelInUse
  readonly #commits = {
    bulk: new CommitBatch(BULK_COMMIT_MEMORIES),
    patient: new CommitBatch(PATIENT_COMMIT_MEMORIES),
  }

  constructor(model: ModelInUse) {
    this.#model = model
  }

  create(
    { spaceId, memories }: { spaceId: number; memories: Pick<MemoryStore, 'insert'> },
    input: NewMemory,
    { identity, receipt }: Stamp,
    pace?: Pace,
  ): Promise<void> {
    const record = recordOf(input, identity)
    return this.#commits[pace ?? 'patient'].run(() =>
      this.#model.run(async (embedder, generation) => {
        const startMs = performance.now()
        const pieces = await embedder.embedMemory(record.content, pace, spaceId)
        await this.#waitForOthers(performance.now() - startMs, pace)
        await memories.insert(record, pieces, receipt, generation, pace)
      }),
    )
  }

  /** So that memories share a commit: others than a bulk wait no longer than a tenth of what the model took. */
  async #waitForOthers(embeddedMs: number, pace: Pace): Promise<void> {
    const { bulk, patient } = this.#commits
    if (pace === 'bulk') return bulk.wait(BULK_WAIT_MS)
    const waitMs = Math.min(PATIENT_WAIT_MS_MAX, embeddedMs / 10)
    if (patient.underWay >= QUEUEING_FROM_CREATES && waitMs >= 1) await patient.wait(waitMs)
  }

  /** Rejects with the reason of the space's `left` when that comes while it waits for the model. */
  async search(space: Searchable, input: MemorySearch): Promise<SearchResults> {
    const found = await this.#find(space, input, { explains: false })
    return { results: found.map(toSearchResult) }
  }

  /** The same results, each with the reasons for its score. */
  async searchExplained(space: Searchable, input: MemorySearch): Promise<ExplainedResult[]> {
    const found = await this.#find(space, input, { explains: true })
    return found.map((memory) => ({
      result: toSearchResult(memory),
      explanation: memory.explanation,
    }))
  }

  #find(
    space: Searchable,
    { query, userId, agentId, tags, limit, threshold }: MemorySearch,
    { explains }: { explains: boolean },
  ): Promise<ScoredMemory[]> {
    const cut = {
      limit: limit ?? SEARCH_LIMIT_DEFAULT,
      threshold: threshold ?? THRESHOLD_DEFAULT,
      explains,
    }
    return this.#model.run(async (embedder, generation) => {
      const embedding = embedder.embedQuery(query, space.spaceId, space.left)
      const expected = { text: query, calibration: embedder.model.calibration }
      space.memories.expectSearch(expected, generation)
      const question = { ...expected, parts: await embedding }
      return space.memories.search(question, { userId, agentId, tags }, cut, generation)
    })
  }

  async list(space: SpaceStore, query: MemoryListQuery): Promise<List<MemoryListItem>> {
    const request = toPageRequest(query)
    const tags = query.tags === undefined ? undefined : splitTagList(query.tags)
    const { userId, agentId } = query
    const { items, total } = await space.memories.page({ userId, agentId, tags }, request)
    return toList(items.map(toListItem), total, request)
  }

  async get(space: SpaceStore, id: string): Promise<Memory> {
    const record = await space.memories.find(id)
    if (record === undefined) throw new ApiError('MEMORY_NOT_FOUND')
    return toMemory(record)
  }

  async delete(space: SpaceStore, id: string, receipt: Receipt): Promise<Deleted> {
    if (!(await space.memories.remove(id, receipt))) throw new ApiError('MEMORY_NOT_FOUND')
    return { success: true, id }
  }
}

/** What a create answers, made from its input alone, so that a replay can make it again. */
export const createdMemory = (input: NewMemory, identity: Identity): Memory =>
  toMemory(recordOf(input, identity))

const recordOf = (input: NewMemory, identity: Identity): MemoryRecord => ({
  ...identity,
  content: input.content,
  userId: input.userId,
  agentId: input.agentId ?? undefined,
  tags: [...new Set(input.tags)],
  metadata: metadataText(input.metadata),
})

const toMemory = (record: MemoryRecord): Memory => {
  const { createdAt, updatedAt, ...item } = toListItem(record)
  return { ...item, ...metadataOf(record.metadata), createdAt, updatedAt }
}

export const toListItem = (record: MemoryRecord): MemoryListItem => ({
  id: record.id,
  content: record.content,
  userId: record.userId,
  ...(record.agentId === undefined ? {} : { agentId: record.agentId }),
  tags: record.tags,
  createdAt: toTimestamp(record.createdAt),
  updatedAt: toTimestamp(record.createdAt),
})

const toSearchResult = (found: ScoredMemory): SearchResult => ({
  id: found.id,
  content: found.content,
  score: found.score,
  userId: found.userId,
  ...(found.agentId === undefined ? {} : { agentId: found.agentId }),
  tags: found.tags,
  createdAt: toTimestamp(found.createdAt),
})
