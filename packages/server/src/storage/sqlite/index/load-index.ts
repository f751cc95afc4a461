// Makes the index of a space: from its copy and the rows since, or from all rows. Rows are read a few
// at a time, each time in a snapshot of the moment, and a copy in steps too, so that a large space, or one of
// long texts, holds up neither the searches in others nor a checkpoint. Whoever drives it tells the index of all
// changes since the first step, as soon as there is one that takes them: what comes twice changes nothing.
import type { SpaceId } from '../../records.ts'
import { type MemoryRow as FullRow, parseTags } from '../memories.ts'
import type { Connection } from '../opening/open-database.ts'
import { pieceStatements } from '../pieces.ts'
import type { PieceTable } from '../reembedding/generations.ts'
import type { indexCopies, OnBegun } from './copies.ts'
import type { Rows } from './search/rows-ranking.ts'
import { SearchIndex } from './search-index.ts'
import type { IndexedMemory } from './tables/indexed.ts'
import type { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

/** Memories up to which a space is searched exactly. */
const EXACT_MAX = 20_000
/** A space that grew beyond this is loaded anew as a large one: not at every step across the border. */
const SMALL_MAX = EXACT_MAX * 1.1
/** Memories whose vectors tell the centroid of a large space. */
const SAMPLE = 500
/** What is read before others may come in between: some milliseconds. */
const SLICE = 200
/** Beyond so many vectors a slice takes no further memory: a long text has more than a hundred. */
const SLICE_VECTORS = 600

type MemoryRow = Omit<FullRow, 'content' | 'metadata'>

/** Whether the index has become the wrong kind for so many memories. */
export const isOutgrown = ({ isLarge, size }: SearchIndex): boolean =>
  isLarge ? size <= EXACT_MAX : size > SMALL_MAX

/** From now on the index takes changes, and is the caller's to release. */
type OnIndex = (index: SearchIndex, from: { isCopy: boolean }) => void

export type Place = { space: SpaceId; table: PieceTable; generation: number }

export function indexLoader(
  db: Connection,
  rows: Rows,
  { workspace, copies }: { workspace: Workspace; copies: ReturnType<typeof indexCopies> },
) {
  // By time, since memories of about the same time lie together in the file.
  const page = db.prepare<[SpaceId, number, number, string, number], MemoryRow>(
    `SELECT no, id, user_id, agent_id, tags, created_at FROM memories INDEXED BY memories_by_time
     WHERE space_no = ? AND no > ? AND (created_at, id) < (?, ?)
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  // Of the rows: a count that is wrong would have the wrong kind of index loaded again and again.
  const beyond = db
    .prepare<[SpaceId, number], 1>(
      'SELECT 1 FROM memories INDEXED BY memories_by_time WHERE space_no = ? LIMIT 1 OFFSET ?',
    )
    .pluck()
  const pieceRows = pieceStatements(db)

  /** As many as a slice takes, all of one snapshot. Returns the last of them; the next slice goes on there. */
  function addSome(
    index: SearchIndex,
    table: PieceTable,
    found: Iterable<MemoryRow>,
  ): MemoryRow | undefined {
    let last: MemoryRow | undefined
    let vectors = 0
    for (const row of found) {
      const pieces = pieceRows.read(table, row.no)
      index.add(toIndexed(row), pieces)
      last = row
      for (const { embeddings } of pieces) vectors += embeddings.length
      if (vectors >= SLICE_VECTORS) break
    }
    return last
  }

  /** Those with greater numbers, the newest first. */
  function* addBehind(
    lastNo: number,
    index: SearchIndex,
    { space, table }: Place,
  ): Generator<void, void> {
    let last = { created_at: Number.MAX_SAFE_INTEGER, id: '' }
    for (;;) {
      const found = page.iterate(space, lastNo, last.created_at, last.id, SLICE)
      const next = addSome(index, table, found)
      if (next === undefined) return
      last = next
      yield
    }
  }

  function centroidOf({ space, table }: Place): Centroid {
    const sample = page.all(space, 0, Number.MAX_SAFE_INTEGER, '', SAMPLE)
    return Centroid.of(
      // Of a long text no more than the first vector is read.
      sample.flatMap(({ no }) => pieceRows.readOne(table, no)[0]?.embeddings[0]?.vector ?? []),
    )
  }

  /** Undefined, too, when it has no more memories than are searched exactly. */
  function* copyOf({ space, generation }: Place, onBegun: OnBegun): ReturnType<typeof copies.load> {
    const copy = yield* copies.load(space, generation, onBegun)
    if (copy === undefined || !isOutgrown(copy.index)) return copy
    copy.index.release()
    return undefined
  }

  /** Step by step. `onIndex` gets the index before the rows are added that it does not have yet. */
  return function* (
    place: Place,
    { onBegun, onIndex }: { onBegun: OnBegun; onIndex: OnIndex },
  ): Generator<void, void> {
    const copy = yield* copyOf(place, onBegun)
    if (copy !== undefined) {
      onIndex(copy.index, { isCopy: true })
      yield* addBehind(copy.lastNo, copy.index, place)
      return
    }
    const isLarge = beyond.get(place.space, EXACT_MAX) !== undefined
    const index = new SearchIndex(rows, workspace, isLarge ? centroidOf(place) : undefined)
    onBegun(index)
    onIndex(index, { isCopy: false })
    yield* addBehind(0, index, place)
  }
}

const toIndexed = (row: MemoryRow): IndexedMemory => ({
  no: row.no,
  userId: row.user_id,
  agentId: row.agent_id ?? undefined,
  tags: parseTags(row.tags),
  createdAt: row.created_at,
})
