// Rows of memories, and the conditions of a filter over them.
import type { MemoryFilter, MemoryRecord } from '../store.ts'
import { type Condition, when } from './conditions.ts'

export type MemoryRow = {
  id: string
  content: string
  user_id: string
  agent_id: string | null
  tags: string[]
  metadata: string | null
  created_at: number
}

export const MEMORY_COLUMNS = `memories.id, content, user_id, agent_id, tags, metadata,
  memories.created_at`
export const toMemory = (row: MemoryRow): MemoryRecord => ({
  id: row.id,
  content: row.content,
  userId: row.user_id,
  agentId: row.agent_id ?? undefined,
  tags: row.tags,
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
})

/** Of a memory that passes the filter, besides its space. */
export const toConditions = (filter: MemoryFilter): Condition[] => [
  ...when('memories.user_id = ?', filter.userId),
  ...when('memories.agent_id = ?', filter.agentId),
  ...(filter.tags ?? []).map((tag) => ({
    sql: `EXISTS (SELECT 1 FROM memory_tags WHERE memory_tags.space_no = memories.space_no
      AND memory_tags.tag = ? AND memory_tags.memory_no = memories.no)`,
    values: [tag],
  })),
]
