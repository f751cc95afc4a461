// Memories: row, tags, terms and vectors in one transaction. Each change is also noted for the
// search index, which hears of it after the commit.
import type { Piece } from '../../retrieval/evidence.ts'
import { withTerms } from '../pieces-with-terms.ts'
import type { MemoryRecord, SpaceId } from '../records.ts'
import type { Receipt } from '../store.ts'
import type { RecordReceipt } from './commit/receipts.ts'
import type { SpacesInUse } from './commit/spaces-in-use.ts'
import type { IndexChange } from './index/tables/indexed.ts'
import type { Counts } from './lists/counts.ts'
import { type MemoryRow, parseTags } from './memories.ts'
import type { Connection } from './opening/open-database.ts'
import { pieceStatements, toIndexed } from './pieces.ts'
import { generationsOfCommit } from './reembedding/generations.ts'

type FoundRow = Pick<MemoryRow, 'no' | 'user_id' | 'agent_id' | 'tags' | 'created_at'>

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
