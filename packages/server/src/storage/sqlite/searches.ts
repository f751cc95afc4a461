// Searches over all spaces: loads a space's index on its first search, keeps it current with what
// the writer committed, and lets go of the least recently used ones when memory runs short.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { MemoryFilter, ScoredMemory, SpaceId } from '../store.ts'
import { IndexCache } from './index-cache.ts'
import { parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import type { Ranked } from './ranking.ts'
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

export function searches(db: Connection, bytesMax = BYTES_MAX) {
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

  const indexes = new IndexCache(bytesMax)

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

  /** Undefined when one of them was deleted a moment ago, which the index had not heard of yet. */
  const readResults = db.transaction((space: SpaceId, ranked: Ranked[]) => {
    const results: ScoredMemory[] = []
    for (const { no, score } of ranked) {
      const row = selectResult.get(space, no)
      if (row === undefined) {
        indexes.change(space, (index) => index.remove(no))
        return undefined
      }
      results.push(toResult(row, score))
    }
    return results
  })

  return {
    /** Changes of a space that is not loaded are dropped: loading it reads them from the rows. */
    apply(change: IndexChange): void {
      indexes.change(change.space, (index) => {
        if (change.kind === 'added') index.add(change.memory, change.vectors)
        else index.remove(change.no)
      })
    },

    search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: { limit: number; threshold: number },
    ): ScoredMemory[] {
      for (;;) {
        const ranked = indexes.use(space, load).search(query, filter, cut)
        const results = readResults(space, ranked)
        // Ranked again, so that the next best takes the place of the one that is gone.
        if (results !== undefined) return results
      }
    },
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
