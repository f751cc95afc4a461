// Memories: row, tags, terms and vectors in one transaction. Each change is also noted for the
// search index, which hears of it after the commit.
import type { PageRequest } from '../../contract/page.ts'
import type { Piece } from '../../retrieval/evidence.ts'
import { termsOfMemory } from '../../retrieval/terms.ts'
import type { MemoryFilter, MemoryRecord, Page, Receipt, SpaceId } from '../store.ts'
import { type Condition, pageReader, when } from './conditions.ts'
import type { Connection } from './open-database.ts'
import type { RecordReceipt } from './receipts.ts'
import type { IndexChange } from './search-index.ts'

type Row = {
  no: number
  id: string
  content: string
  user_id: string
  agent_id: string | null
  tags: string
  metadata: string | null
  created_at: number
}

const SELECT = `SELECT memories.no, memories.id, content, user_id, agent_id, tags, metadata,
  created_at FROM memories`

const toMemory = (row: Row): MemoryRecord => ({
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

export function memoryWrites(db: Connection, recordReceipt: RecordReceipt, changes: IndexChange[]) {
  const insertRow = db.prepare(
    `INSERT INTO memories (space_no, id, content, user_id, agent_id, tags, metadata, terms, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertPiece = db.prepare<[number | bigint, number, number, number, Buffer]>(
    `INSERT INTO pieces (memory_no, part, start_offset, end_offset, vector) VALUES (?, ?, ?, ?, ?)`,
  )
  const insertTag = db.prepare<[SpaceId, string, number | bigint]>(
    'INSERT INTO memory_tags (space_no, tag, memory_no) VALUES (?, ?, ?)',
  )
  const find = db.prepare<[SpaceId, string], { no: number; tags: string }>(
    'SELECT no, tags FROM memories WHERE space_no = ? AND id = ?',
  )
  const deleteTag = db.prepare<[SpaceId, string, number]>(
    'DELETE FROM memory_tags WHERE space_no = ? AND tag = ? AND memory_no = ?',
  )
  // The foreign key takes the pieces along.
  const deleteRow = db.prepare<[SpaceId, number]>(
    'DELETE FROM memories WHERE space_no = ? AND no = ?',
  )

  return {
    insert(space: SpaceId, memory: MemoryRecord, pieces: Piece[], receipt: Receipt): void {
      const terms = termsOfMemory(memory.content)
      const no = Number(
        insertRow.run(
          space,
          memory.id,
          memory.content,
          memory.userId,
          memory.agentId ?? null,
          JSON.stringify(memory.tags),
          memory.metadata ?? null,
          terms.join(' '),
          memory.createdAt,
        ).lastInsertRowid,
      )
      for (const [part, { start, end, vector }] of pieces.entries()) {
        insertPiece.run(no, part, start, end, toBytes(vector))
      }
      for (const tag of memory.tags) insertTag.run(space, tag, no)
      recordReceipt(receipt)
      const { id, userId, agentId, tags, createdAt } = memory
      changes.push({
        kind: 'added',
        space,
        memory: { no, id, userId, agentId, tags, createdAt, terms },
        vectors: pieces.map((piece) => piece.vector),
      })
    },

    remove(space: SpaceId, id: string, receipt: Receipt): boolean {
      const row = find.get(space, id)
      if (row === undefined) return false
      for (const tag of parseTags(row.tags)) deleteTag.run(space, tag, row.no)
      deleteRow.run(space, row.no)
      recordReceipt(receipt)
      changes.push({ kind: 'removed', space, no: row.no })
      return true
    },
  }
}

const toBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

export function memoryReads(db: Connection) {
  const byId = db.prepare<[SpaceId, string], Row>(
    `${SELECT} WHERE space_no = ? AND memories.id = ?`,
  )
  const readPage = pageReader<Row>(db, { table: 'memories', select: SELECT })
  return {
    find(space: SpaceId, id: string): MemoryRecord | undefined {
      const row = byId.get(space, id)
      return row && toMemory(row)
    },
    page(space: SpaceId, filter: MemoryFilter, page: PageRequest): Page<MemoryRecord> {
      const { items, total } = readPage(toConditions(space, filter), page)
      return { items: items.map(toMemory), total }
    },
  }
}

const toConditions = (space: SpaceId, filter: MemoryFilter): Condition[] => [
  ...when('space_no = ?', space),
  ...when('user_id = ?', filter.userId),
  ...when('agent_id = ?', filter.agentId),
  ...(filter.tags ?? []).map((tag) => ({
    sql: 'no IN (SELECT memory_no FROM memory_tags WHERE space_no = ? AND tag = ?)',
    values: [space, tag],
  })),
]
