// Rows of memories, and the conditions of a filter over them.
import type { MemoryRecord } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
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

/** So many tags are looked up in their index; planning a join for each of fifty takes seconds. */
const JOINED_TAGS_MAX = 3

/** Of a memory that passes the filter, besides its space. */
export const toConditions = ({ userId, agentId, tags = [] }: MemoryFilter): Condition[] => [
  ...when('memories.user_id = ?', userId),
  ...when('memories.agent_id = ?', agentId),
  ...tags.slice(0, JOINED_TAGS_MAX).map((tag) => ({
    sql: `EXISTS (SELECT 1 FROM memory_tags WHERE memory_tags.space_no = memories.space_no
      AND memory_tags.tag = ? AND memory_tags.memory_no = memories.no)`,
    values: [tag],
  })),
  ...(tags.length > JOINED_TAGS_MAX ? [{ sql: 'memories.tags @> ?::text[]', values: [tags] }] : []),
]
