// Memories: row, tags, terms and vectors in one transaction. Each change is also noted for the
// search index, which hears of it after the commit.
import type { Piece } from '../../retrieval/evidence.ts'
import { withTerms } from '../pieces-with-terms.ts'
import type { MemoryRecord, SpaceId } from '../records.ts'
import type { MemoryFilter, Receipt } from '../store.ts'
import type { RecordReceipt } from './commit/receipts.ts'
import type { SpacesInUse } from './commit/spaces-in-use.ts'
import { generationsOfCommit } from './generations.ts'
import type { IndexChange } from './index/indexed.ts'
import type { Counts } from './lists/counts.ts'
import { listReader } from './lists/lists.ts'
import { ALL_MEMORIES, combinedTotals, toGroups, UNLISTED_MEMORIES } from './lists/memory-lists.ts'
import type { Connection } from './opening/open-database.ts'
import { pieceStatements, toIndexed } from './pieces.ts'

export type MemoryRow = {
  no: number
  id: string
  content: string
  user_id: string
  agent_id: string | null
  tags: string
  metadata: string | null
  created_at: number
}

type FoundRow = Pick<MemoryRow, 'no' | 'user_id' | 'agent_id' | 'tags' | 'created_at'>

export const MEMORY_COLUMNS = `memories.no, memories.id, content, user_id, agent_id, tags, metadata,
  created_at`
const SELECT = `SELECT ${MEMORY_COLUMNS} FROM memories`

export const toMemory = (row: MemoryRow): MemoryRecord => ({
  id: row.id,
  content: row.content,
  userId: row.user_id,
  agentId: row.agent_id ?? undefined,
  tags: parseTags(row.tags),
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
})

/** The column holds what `JSON.stringify` made of a list of texts. */
export const parseTags = (json: string): string[] => JSON.parse(json)

export function memoryWrites(
  db: Connection,
  recordReceipt: RecordReceipt,
  { counts, changes, spaces }: { counts: Counts; changes: IndexChange[]; spaces: SpacesInUse },
) {
  // Its lists hold it later: list-keeper.ts.
  const insertRow = db.prepare(
    `INSERT INTO memories (space_no, id, content, user_id, agent_id, tags, metadata, created_at, in_lists)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  const pieceRows = pieceStatements(db)
  const { tableInUse, place, notes } = generationsOfCommit(db)
  const find = db.prepare<[SpaceId, string], FoundRow>(
    'SELECT no, user_id, agent_id, tags, created_at FROM memories WHERE space_no = ? AND id = ?',
  )
  const deleteTag = db.prepare<[SpaceId, string, number, string]>(
    'DELETE FROM memory_tags WHERE space_no = ? AND tag = ? AND created_at = ? AND id = ?',
  )
  // A trigger takes the pieces of every generation along.
  const deleteRow = db.prepare<[SpaceId, number]>(
    'DELETE FROM memories WHERE space_no = ? AND no = ?',
  )

  return {
    notes,

    insert(
      space: SpaceId,
      memory: MemoryRecord,
      pieces: Piece[],
      receipt: Receipt,
      generation: number,
    ): void {
      spaces.expect(space)
      const table = tableInUse(generation)
      const embedded = withTerms(memory.content, pieces)
      const no = Number(
        insertRow.run(
          space,
          memory.id,
          memory.content,
          memory.userId,
          memory.agentId ?? null,
          JSON.stringify(memory.tags),
          memory.metadata ?? null,
          memory.createdAt,
        ).lastInsertRowid,
      )
      pieceRows.insert(table, no, embedded)
      const { userId, agentId, tags, createdAt } = memory
      counts.memory(space, 1, memory)
      recordReceipt(receipt)
      changes.push({
        kind: 'added',
        space,
        memory: { no, userId, agentId, tags, createdAt },
        generation,
        pieces: toIndexed(embedded),
      })
    },

    remove(space: SpaceId, id: string, receipt: Receipt): boolean {
      const row = find.get(space, id)
      if (row === undefined) return false
      const tags = parseTags(row.tags)
      const inUse = place('current')
      const terms = inUse === undefined ? [] : pieceRows.terms(inUse.table, row.no)
      for (const tag of tags) deleteTag.run(space, tag, row.created_at, id)
      deleteRow.run(space, row.no)
      counts.memory(space, -1, { userId: row.user_id, agentId: row.agent_id, tags })
      recordReceipt(receipt)
      const { no, user_id: userId, agent_id: agentId } = row
      changes.push({
        kind: 'removed',
        space,
        memory: { no, userId, agentId: agentId ?? undefined, tags, terms },
        generation: inUse?.number ?? 0,
      })
      return true
    },
  }
}

export function memoryReads(db: Connection) {
  const byId = db.prepare<[SpaceId, string], MemoryRow>(
    `${SELECT} WHERE space_no = ? AND memories.id = ?`,
  )
  const list = listReader<MemoryFilter, MemoryRow, MemoryRecord>(db, {
    table: 'memories',
    select: SELECT,
    toFilter: toGroups,
    toItem: toMemory,
    whole: ALL_MEMORIES,
    unlisted: UNLISTED_MEMORIES,
    combinedTotal: combinedTotals(db),
  })
  return {
    find(space: SpaceId, id: string): MemoryRecord | undefined {
      const row = byId.get(space, id)
      return row && toMemory(row)
    },
    ...list,
  }
}
