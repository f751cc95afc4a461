// Searches over all spaces: loads a space's index on its first search, keeps it current with what
// the writer committed, and lets go of the least recently used ones when memory runs short.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { MemoryFilter, ScoredMemory, SpaceId } from '../store.ts'
import { parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import { type IndexChange, SearchIndex } from './search-index.ts'

const BYTES_MAX = 1024 * 1024 * 1024

type MemoryRow = {
  no: number
  id: string
  user_id: string
  agent_id: string | null
  tags: string
  terms: string
  created_at: number
}
type ResultRow = Omit<MemoryRow, 'terms'> & { content: string }

export function searches(db: Connection) {
  const selectMemories = db.prepare<[SpaceId], MemoryRow>(
    `SELECT no, id, user_id, agent_id, tags, terms, created_at FROM memories WHERE space_no = ?`,
  )
  const selectVectors = db
    .prepare<[number], Buffer>('SELECT vector FROM pieces WHERE memory_no = ? ORDER BY part')
    .pluck()
  const selectResult = db.prepare<[SpaceId, number], ResultRow>(
    `SELECT no, id, content, user_id, agent_id, tags, created_at FROM memories
     WHERE space_no = ? AND no = ?`,
  )

  // In order of use, the least recently used first.
  const indexes = new Map<SpaceId, SearchIndex>()

  const load = db.transaction((space: SpaceId): SearchIndex => {
    const index = new SearchIndex()
    for (const row of selectMemories.all(space)) {
      index.add(
        {
          no: row.no,
          id: row.id,
          userId: row.user_id,
          agentId: row.agent_id ?? undefined,
          tags: parseTags(row.tags),
          createdAt: row.created_at,
          terms: row.terms === '' ? [] : row.terms.split(' '),
        },
        selectVectors.all(row.no).map(toVector),
      )
    }
    return index
  })

  function indexOf(space: SpaceId): SearchIndex {
    const index = indexes.get(space) ?? load(space)
    indexes.delete(space)
    indexes.set(space, index)
    evict(indexes)
    return index
  }

  return {
    /** Changes of a space that is not loaded are dropped: loading it reads them from the rows. */
    apply(change: IndexChange): void {
      const index = indexes.get(change.space)
      if (change.kind === 'added') index?.add(change.memory, change.vectors)
      else index?.remove(change.no)
    },

    search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: { limit: number; threshold: number },
    ): ScoredMemory[] {
      const results: ScoredMemory[] = []
      for (const { no, score } of indexOf(space).search(query, filter, cut)) {
        // Absent only when it was deleted a moment ago, which the index has not heard of yet.
        const row = selectResult.get(space, no)
        if (row !== undefined) results.push(toResult(row, score))
      }
      return results
    },
  }
}

function evict(indexes: Map<SpaceId, SearchIndex>): void {
  let bytes = 0
  for (const index of indexes.values()) bytes += index.bytes
  for (const [space, index] of indexes) {
    if (bytes <= BYTES_MAX || indexes.size === 1) return
    indexes.delete(space)
    bytes -= index.bytes
  }
}

/** A copy, because a blob need not lie where a Float32Array may begin. */
const toVector = (blob: Buffer): Float32Array => new Float32Array(new Uint8Array(blob).buffer)

const toResult = (row: ResultRow, score: number): ScoredMemory => ({
  id: row.id,
  content: row.content,
  score,
  userId: row.user_id,
  agentId: row.agent_id ?? undefined,
  tags: parseTags(row.tags),
  createdAt: row.created_at,
})
