// Makes the index of a space from its rows.
import type { SpaceId } from '../../store.ts'
import type { PieceTable } from '../generations.ts'
import { parseTags } from '../memories.ts'
import type { Connection } from '../open-database.ts'
import { pieceStatements } from '../pieces.ts'
import type { IndexedMemory, IndexedPiece } from './indexed.ts'
import { Middle } from './middle.ts'
import { type Rows, SearchIndex } from './search-index.ts'
import type { Workspace } from './workspace.ts'

/** Memories up to which a space is searched exactly. */
const EXACT_MAX = 20_000
/** A space that grew beyond this is loaded anew as a large one: not at every step across the border. */
export const SMALL_MAX = EXACT_MAX * 1.1
/** Memories whose vectors tell the middle of a large space. */
const SAMPLE = 500

type MemoryRow = {
  no: number
  user_id: string
  agent_id: string | null
  tags: string
  created_at: number
}

/** Whether the index has become the wrong kind for so many memories. */
export const isOutgrown = ({ isLarge, size }: SearchIndex): boolean =>
  isLarge ? size <= EXACT_MAX : size > SMALL_MAX

export function indexLoader(db: Connection, rows: Rows, workspace: Workspace) {
  // By time, since memories of about the same time lie together in the file.
  const select = db.prepare<[SpaceId], MemoryRow>(
    `SELECT no, user_id, agent_id, tags, created_at
     FROM memories INDEXED BY memories_by_time WHERE space_no = ? ORDER BY created_at DESC, id DESC`,
  )
  const count = db
    .prepare<[SpaceId], number>('SELECT COUNT(*) FROM memories WHERE space_no = ?')
    .pluck()
  const pieceRows = pieceStatements(db)

  function* memoriesOf(space: SpaceId, table: PieceTable) {
    for (const row of select.iterate(space)) {
      const memory: IndexedMemory = {
        no: row.no,
        userId: row.user_id,
        agentId: row.agent_id ?? undefined,
        tags: parseTags(row.tags),
        createdAt: row.created_at,
      }
      yield { memory, pieces: pieceRows.read(table, row.no) }
    }
  }

  return (space: SpaceId, table: PieceTable): SearchIndex => {
    const isLarge = (count.get(space) ?? 0) > EXACT_MAX
    const index = new SearchIndex(
      rows,
      workspace,
      isLarge ? middleOf(memoriesOf(space, table)) : undefined,
    )
    for (const { memory, pieces } of memoriesOf(space, table)) index.add(memory, pieces)
    return index
  }
}

function middleOf(memories: Iterable<{ pieces: IndexedPiece[] }>): Middle {
  const sample: Float32Array[] = []
  for (const { pieces } of memories) {
    for (const { embeddings } of pieces) {
      const [own] = embeddings
      // A copy: the buffer of a row is the database's.
      if (own !== undefined) sample.push(own.vector.slice())
    }
    if (sample.length >= SAMPLE) break
  }
  return new Middle(sample, sample[0]?.length ?? 0)
}
