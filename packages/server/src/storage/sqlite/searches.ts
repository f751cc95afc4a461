// Searches over all spaces: loads a space's index on its first search, keeps it current with what
// the writer committed, and lets go of the least recently used ones when memory runs short. All of
// them belong to one generation of vectors: when another one comes into use, they are dropped.
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import type { MemoryFilter, ScoredMemory, SearchCut, SpaceId } from '../store.ts'
import { generationReads, type PieceTable } from './generations.ts'
import { IndexCache } from './index/index-cache.ts'
import type { IndexChange, IndexedPiece } from './index/indexed.ts'
import { indexLoader, isOutgrown } from './index/load-index.ts'
import { Workspace } from './index/workspace.ts'
import { parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import { pieceStatements } from './pieces.ts'

const BYTES_MAX = 1024 * 1024 * 1024

type MemoryRow = {
  no: number
  id: string
  user_id: string
  agent_id: string | null
  tags: string
  created_at: number
}
type ResultRow = MemoryRow & { content: string }

export function searches(db: Connection, bytesMax = BYTES_MAX) {
  const pieceRows = pieceStatements(db)
  const selectId = db.prepare<[number], string>('SELECT id FROM memories WHERE no = ?').pluck()
  const selectResult = db.prepare<[SpaceId, number], ResultRow>(
    `SELECT no, id, content, user_id, agent_id, tags, created_at FROM memories
     WHERE space_no = ? AND no = ?`,
  )

  const { tableInUse } = generationReads(db)

  const indexes = new IndexCache(bytesMax)
  const workspace = new Workspace()
  /** Of the vectors in the indexes. */
  let generation = 0
  /** Of that generation, while an answer is made. */
  let table: PieceTable = 'pieces'

  const moveTo = (next: number): void => {
    indexes.clear()
    generation = next
  }

  /** Memories that were deleted a moment ago, which the index has not heard of. */
  const gone: number[] = []

  function piecesOf(no: number): IndexedPiece[] {
    const pieces = pieceRows.read(table, no)
    if (pieces.length === 0) gone.push(no)
    return pieces
  }

  const idOf = (no: number): string => selectId.get(no) ?? ''
  const loadIndex = indexLoader(db, { piecesOf, idOf }, workspace)
  const load = (space: SpaceId) => loadIndex(space, table)

  /** Undefined when the memory is gone. */
  function explain(space: SpaceId, query: SearchQuery, no: number): Explanation | undefined {
    const explained = indexes.use(space, load).explain(query, no)
    if (explained === undefined) return undefined
    const { piecePart, sentencePart, ...rest } = explained
    const piece = pieceRows.span(table, no, piecePart)
    const sentence = pieceRows.span(table, no, sentencePart)
    return piece && sentence && { ...rest, piece, sentence }
  }

  /** All that an answer is made of is read in one snapshot: the next commit may be a switch. */
  const answer = db.transaction(
    (space: SpaceId, query: SearchQuery, filter: MemoryFilter, cut: SearchCut): ScoredMemory[] => {
      table = tableInUse(generation)
      gone.length = 0
      for (;;) {
        const ranked = indexes.use(space, load).search(query, filter, cut)
        const results = ranked.flatMap(({ no, score }) => {
          const row = selectResult.get(space, no)
          if (row === undefined) gone.push(no)
          const explanation = cut.explains ? explain(space, query, no) : undefined
          return row === undefined ? [] : toResult(row, score, explanation)
        })
        if (gone.length === 0) return results
        // Ranked again, so that the next best takes the place of the one that is gone.
        indexes.change(space, (index) => {
          for (const no of gone.splice(0)) index.hide(no)
        })
      }
    },
  )

  return {
    /** Changes of a space that is not loaded are dropped: loading it reads them from the rows. */
    apply(change: IndexChange): void {
      if (change.generation > generation) moveTo(change.generation)
      // Whatever is loaded of a later generation was read from rows that knew of this change.
      if (change.generation < generation) return
      indexes.change(change.space, (index) => {
        if (change.kind === 'added') index.add(change.memory, change.pieces)
        else index.remove(change.memory)
      })
      indexes.dropIf(change.space, isOutgrown)
    },

    search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: SearchCut,
      queried: number,
    ): ScoredMemory[] {
      tableInUse(queried)
      if (queried !== generation) moveTo(queried)
      return answer(space, query, filter, cut)
    },
  }
}

function toResult(row: ResultRow, score: number, explanation: Explanation | undefined) {
  const result: ScoredMemory = {
    id: row.id,
    content: row.content,
    score,
    userId: row.user_id,
    agentId: row.agent_id ?? undefined,
    tags: parseTags(row.tags),
    createdAt: row.created_at,
  }
  return explanation === undefined ? result : { ...result, explanation }
}
