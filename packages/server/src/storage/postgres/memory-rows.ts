// Rows of memories, and the conditions of a filter over them.
import type { MemoryRecord } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { type Condition, type Counted, when } from './conditions.ts'

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

const hasTags = (space: string, no: string, tags: readonly string[]): Condition[] =>
  tags.map((tag) => ({
    sql: `EXISTS (SELECT 1 FROM memory_tags AS other WHERE other.space_no = ${space}
      AND other.tag = ? AND other.memory_no = ${no})`,
    values: [tag],
  }))

/**
 * How many memories pass a filter of tags alone is told by these: joined with a million memories, counting them
 * took more than half of the time that a statement may.
 */
export function countedTags({
  userId,
  agentId,
  tags: [first, ...others] = [],
}: MemoryFilter): Counted | undefined {
  const isByTags = userId === undefined && agentId === undefined && others.length < JOINED_TAGS_MAX
  if (!isByTags || first === undefined) return undefined
  return {
    table: 'memory_tags',
    conditions: [
      ...when('memory_tags.tag = ?', first),
      ...hasTags('memory_tags.space_no', 'memory_tags.memory_no', others),
    ],
  }
}

/** Of a memory that passes the filter, besides its space. */
export const toConditions = ({ userId, agentId, tags = [] }: MemoryFilter): Condition[] => [
  ...when('memories.user_id = ?', userId),
  ...when('memories.agent_id = ?', agentId),
  ...hasTags('memories.space_no', 'memories.no', tags.slice(0, JOINED_TAGS_MAX)),
  ...(tags.length > JOINED_TAGS_MAX ? [{ sql: 'memories.tags @> ?::text[]', values: [tags] }] : []),
]
