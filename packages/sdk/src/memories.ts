// Memories: texts that are found by meaning. The types are those of the service, which a test compares.
import { expectNames, expectObject, expectValues, type Names } from './given.ts'
import type { PageRequest } from './page.ts'
import { type Description, Records } from './records.ts'
import type { RequestOptions, Send } from './send.ts'

export type NewMemory = {
  /** Up to 10,000 characters. */
  content: string
  userId: string
  agentId?: string | null
  tags?: readonly string[] | null
  metadata?: Record<string, unknown> | null
}

export type MemoryListItem = {
  id: string
  content: string
  userId: string
  agentId?: string
  tags: string[]
  createdAt: string
  updatedAt: string
}

export type Memory = MemoryListItem & { metadata?: Record<string, unknown> }

export type MemoryFilter = {
  userId?: string
  agentId?: string
  /** A memory has to have all of them. In a list, none may hold a comma or outer white space. */
  tags?: readonly string[]
}
export type MemoryListQuery = MemoryFilter & PageRequest

export type MemorySearch = MemoryFilter & {
  /** In natural language. */
  query: string
  /** 1 to 100; without it 10. */
  limit?: number
  /** The least score, from 0 to 1; without it 0.5. */
  threshold?: number
}

export type SearchResult = {
  id: string
  content: string
  /** From 0 to 1. */
  score: number
  userId: string
  agentId?: string
  tags: string[]
  createdAt: string
}
export type SearchResults = { results: SearchResult[] }

/** Without those of an answer that was lost. */
export type Forgotten = { deleted: number }

type OfMemories = {
  new: NewMemory
  created: Memory
  record: Memory
  item: MemoryListItem
  filter: MemoryFilter
}

const MEMORIES: Description<OfMemories> = {
  path: '/v1/memories',
  gone: 'MEMORY_NOT_FOUND',
  required: ['content', 'userId'],
  filters: { userId: true, agentId: true, tags: true },
}
const SEARCH: Names<MemorySearch> = {
  query: true,
  ...MEMORIES.filters,
  limit: true,
  threshold: true,
}

export class Memories extends Records<OfMemories> {
  readonly #send: Send

  constructor(send: Send) {
    super(send, MEMORIES)
    this.#send = send
  }

  /** The best first. */
  async search(search: MemorySearch, options: RequestOptions = {}): Promise<SearchResults> {
    expectObject('search', search, ['query'])
    expectNames('search', search, SEARCH)
    expectValues(search, ['query'])
    const request = { method: 'POST', path: '/v1/memories/search', body: search } as const
    return this.#send({ ...request, landmark: 'results' }, options)
  }

  /**
   * Deletes all memories of a user, for good, also when the month is used up. Asks until none remains: each
   * request works for some two seconds. The options are those of each of them.
   */
  async forget(user: { userId: string }, options: RequestOptions = {}): Promise<Forgotten> {
    expectObject('user', user, ['userId'])
    expectNames('user', user, { userId: true })
    expectValues(user, ['userId'])
    const request = { method: 'POST', path: '/forget/memories', body: user } as const
    for (let deleted = 0; ; ) {
      const answer = await this.#send<Forgotten & { remaining: number }>(
        { ...request, landmark: 'remaining' },
        options,
      )
      deleted += answer.deleted
      if (answer.remaining === 0) return { deleted }
    }
  }
}
