// Memories as they are read. What takes the terms out of their texts is not loaded here: most threads only read.
import type { MemoryRecord, SpaceId } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { listReader } from './lists/lists.ts'
import { ALL_MEMORIES, combinedTotals, toGroups, UNLISTED_MEMORIES } from './lists/memory-lists.ts'
import type { Connection } from './opening/open-database.ts'

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
