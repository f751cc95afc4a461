// Searches over all spaces: loads a space's index on its first search, keeps it current with what
// the writer committed, and lets go of the least recently used ones when memory runs short. All of
// them belong to one generation of vectors: when another one comes into use, they are dropped.
// Searches in other spaces go on while a large one is loaded.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import type { MemoryFilter, ScoredMemory, SearchCut, SpaceId } from '../store.ts'
import { generationReads, type PieceTable } from './generations.ts'
import { IndexCache } from './index/index-cache.ts'
import type { IndexChange, IndexedPiece } from './index/indexed.ts'
import { indexLoader, isOutgrown } from './index/load-index.ts'
import type { SearchIndex } from './index/search-index.ts'
import { snapshots } from './index/snapshots.ts'
import { Workspace } from './index/workspace.ts'
import { type MemoryRow, parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import { pieceStatements } from './pieces.ts'

const BYTES_MAX = 1024 * 1024 * 1024
/** How much larger a space has become when its copy is made anew. */
const COPY_GROWTH = 1.5

type ResultRow = Omit<MemoryRow, 'metadata'>

export function searches(db: Connection, bytesMax = BYTES_MAX) {
  const pieceRows = pieceStatements(db)
  const selectId = db.prepare<[number], string>('SELECT id FROM memories WHERE no = ?').pluck()
  const selectResult = db.prepare<[SpaceId, number], ResultRow>(
    `SELECT no, id, content, user_id, agent_id, tags, created_at FROM memories
     WHERE space_no = ? AND no = ?`,
  )

  const { tableInUse, place } = generationReads(db)

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

  function piecesOf(no: number, hasOneRow: boolean): IndexedPiece[] {
    const pieces = hasOneRow ? pieceRows.readOne(table, no) : pieceRows.read(table, no)
    if (pieces.length === 0) gone.push(no)
    return pieces
  }

  const idOf = (no: number): string => selectId.get(no) ?? ''
  const rows = { piecesOf, idOf }
  const copies = snapshots(db, workspace, rows)
  copies.dropStale()
  const startLoad = indexLoader(db, rows, { workspace, copies })
  /** Those that are loaded at the moment, which hear of changes as the others do. */
  const loading = new Map<SpaceId, { index: SearchIndex; done: Promise<void> }>()
  /** How many memories the copy of an index has; unknown when it is none any more. */
  const copied = new WeakMap<SearchIndex, number>()

  async function load(space: SpaceId): Promise<void> {
    const known = loading.get(space)
    if (known !== undefined) return known.done
    const started = startLoad({ space, table: tableInUse(generation), generation })
    if (started.isCopy) copied.set(started.index, started.index.size)
    const done = finishLoad(space, started)
    loading.set(space, { index: started.index, done })
    return done
  }

  async function finishLoad(
    space: SpaceId,
    { index, fill }: ReturnType<typeof startLoad>,
  ): Promise<void> {
    const own = generation
    try {
      for (const _ of fill) {
        await nextTurn()
        // A switch in between: these vectors are of no use any more.
        if (own !== generation || place('current')?.number !== own) break
      }
      if (own === generation) indexes.put(space, index)
      else index.release()
    } catch (error) {
      index.release()
      throw error
    } finally {
      loading.delete(space)
    }
    // After the searches that waited for it.
    setImmediate(() => {
      if (indexes.use(space) === index) keepCopy(space, index)
    })
  }

  /** Of a large space that has none, or has become much larger. */
  function keepCopy(space: SpaceId, index: SearchIndex, growth = COPY_GROWTH): void {
    const before = copied.get(index)
    if (!index.isLarge || (before !== undefined && index.size <= before * growth)) return
    if (copies.save(space, generation, index)) copied.set(index, index.size)
  }

  /** Undefined when the memory is gone. */
  function explain(space: SpaceId, query: SearchQuery, no: number): Explanation | undefined {
    const explained = indexes.use(space)?.explain(query, no)
    if (explained === undefined) return undefined
    const { piecePart, sentencePart, ...rest } = explained
    const piece = pieceRows.span(table, no, piecePart)
    const sentence = pieceRows.span(table, no, sentencePart)
    return piece && sentence && { ...rest, piece, sentence }
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
      table = tableInUse(generation)
      gone.length = 0
      for (;;) {
        const ranked = index.search(query, filter, cut)
        const results = ranked.flatMap(({ no, score }) => {
          const row = selectResult.get(space, no)
          if (row === undefined) gone.push(no)
          const explanation = cut.explains ? explain(space, query, no) : undefined
          return row === undefined ? [] : toResult(row, score, explanation)
        })
        if (gone.length === 0) return results
        // Ranked again, so that the next best takes the place of the one that is gone.
        for (const no of gone.splice(0)) index.hide(no)
      }
    },
  )

  return {
    /** Changes of a space that is not loaded are dropped: loading it reads them from the rows. */
    apply(change: IndexChange): void {
      if (change.generation > generation) moveTo(change.generation)
      // Whatever is loaded of a later generation was read from rows that knew of this change.
      if (change.generation < generation) return
      const take = (index: SearchIndex): void => {
        if (change.kind === 'added') index.add(change.memory, change.pieces)
        else {
          index.remove(change.memory)
          // The writer has removed it.
          copied.delete(index)
        }
      }
      const started = loading.get(change.space)
      if (started !== undefined) take(started.index)
      indexes.change(change.space, take)
      indexes.dropIf(change.space, isOutgrown)
    },

    async search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: SearchCut,
      queried: number,
    ): Promise<ScoredMemory[]> {
      for (;;) {
        // Whether it still is in use is looked at in the snapshot of the answer.
        if (queried !== generation) {
          tableInUse(queried)
          moveTo(queried)
        }
        const index = indexes.use(space)
        if (index !== undefined) return answer(index, space, query, filter, cut)
        await load(space)
      }
    },

    /** Keeps copies of what would take long to make again. */
    close(): void {
      for (const [space, index] of indexes.all()) keepCopy(space, index, 1)
      workspace.scanners.close()
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
