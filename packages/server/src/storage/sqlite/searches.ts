// Searches over all spaces: the index of a space ranks its memories, and their rows make the answer. All
// that an answer is made of is of one moment, and nothing in it is gone: what was deleted since the index
// last heard of a change leaves its place to the next best.
import type { ExpectedQuery, SearchQuery } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import type { MemoryFilter, ScoredMemory, SearchCut, SpaceId } from '../store.ts'
import { generationReads, type PieceTable } from './generations.ts'
import type { IndexChange, IndexedPiece } from './index/indexed.ts'
import { IndexedSpaces } from './index/indexed-spaces.ts'
import type { SearchIndex } from './index/search-index.ts'
import { SpaceIndexes } from './index/space-indexes.ts'
import { type MemoryRow, parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import { pieceStatements } from './pieces.ts'

/** Of the indexes that are in memory at a time. */
const BYTES_MAX = 1024 * 1024 * 1024

type ResultRow = Omit<MemoryRow, 'metadata'>

/** `indexed`: where the writer looks for whom it has to send changes. */
export function searches(
  db: Connection,
  { bytesMax = BYTES_MAX, indexed = new IndexedSpaces() } = {},
) {
  const pieceRows = pieceStatements(db)
  const selectId = db.prepare<[number], string>('SELECT id FROM memories WHERE no = ?').pluck()
  const selectResult = db.prepare<[SpaceId, number], ResultRow>(
    `SELECT no, id, content, user_id, agent_id, tags, created_at FROM memories
     WHERE space_no = ? AND no = ?`,
  )

  const { tableInUse } = generationReads(db)

  /** Of the generation whose vectors are searched, while an answer is made. */
  let table: PieceTable = 'pieces'
  /** Memories that were deleted a moment ago, which the index has not heard of. */
  const gone: number[] = []

  function piecesOf(no: number, hasOneRow: boolean): IndexedPiece[] {
    const pieces = hasOneRow ? pieceRows.readOne(table, no) : pieceRows.read(table, no)
    if (pieces.length === 0) gone.push(no)
    return pieces
  }

  const idOf = (no: number): string => selectId.get(no) ?? ''
  const indexes = new SpaceIndexes(db, { piecesOf, idOf }, { bytesMax, indexed })

  /** Undefined when the memory is gone. */
  function explain(index: SearchIndex, query: SearchQuery, no: number): Explanation | undefined {
    const explained = index.explain(query, no)
    if (explained === undefined) return undefined
    const { sentencePart, ...rest } = explained
    const sentence = pieceRows.span(table, no, sentencePart)
    return sentence && { ...rest, sentence }
  }

  /** All that an answer is made of is read in one snapshot: the next commit may be a switch. */
  const answer = db.transaction(
    (
      index: SearchIndex,
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: SearchCut,
    ): ScoredMemory[] => {
      table = tableInUse(indexes.generation)
      gone.length = 0
      for (;;) {
        const ranked = index.search(query, filter, cut)
        const results = ranked.flatMap(({ no, score }) => {
          const row = selectResult.get(space, no)
          if (row === undefined) gone.push(no)
          const explanation = cut.explains ? explain(index, query, no) : undefined
          return row === undefined ? [] : toResult(row, score, explanation)
        })
        if (gone.length === 0) return results
        // Ranked again, so that the next best takes the place of the one that is gone.
        for (const no of gone.splice(0)) index.hide(no)
      }
    },
  )

  /** Whether it still is in use is looked at in the snapshot of the answer. */
  function moveTo(generation: number): void {
    if (generation === indexes.generation) return
    tableInUse(generation)
    indexes.moveTo(generation)
  }

  return {
    apply: (change: IndexChange): void => indexes.apply(change),

    /** Loads the index of a space that is about to be searched, or has it do what it can until then. */
    async expect(space: SpaceId, query: ExpectedQuery, queried: number): Promise<void> {
      moveTo(queried)
      const index = indexes.use(space)
      if (index === undefined) await indexes.load(space)
      else index.expect(query)
    },

    async search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: SearchCut,
      queried: number,
    ): Promise<ScoredMemory[]> {
      for (;;) {
        moveTo(queried)
        const index = indexes.use(space)
        if (index !== undefined) return answer(index, space, query, filter, cut)
        await indexes.load(space)
      }
    },

    close: (): void => indexes.close(),
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
