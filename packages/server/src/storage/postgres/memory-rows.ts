// Rows of memories, and the conditions of a filter over them.
import type { MemoryRecord } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { type Condition, when } from './conditions.ts'
import type { Counted } from './pages.ts'

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

export const MEMORY_LIST = {
  table: 'memories',
  key: 'no',
  select: `SELECT ${MEMORY_COLUMNS} FROM memories`,
  toItem: toMemory,
} as const

/** So many tags are looked up in their index; planning a join for each of fifty takes seconds. */
const JOINED_TAGS_MAX = 3

const hasTags = (space: string, no: string, tags: readonly string[]): Condition[] =>
  tags.map((tag) => ({
    sql: `EXISTS (SELECT 1 FROM memory_tags AS other WHERE other.space_no = ${space}
      AND other.tag = ? AND other.memory_no = ${no})`,
    values: [tag],
  }))

/**
 * Where those that pass a filter with tags are counted: the memories of a user are few and looked at one by one. Of a
 * filter of tags alone these tell it: joined with a million memories, counting them took more than half of the time
 * that a statement may.
 */
export function countedTags(filter: MemoryFilter): Counted {
  const { userId, agentId, tags: [first, ...others] = [] } = filter
  if (userId !== undefined) {
    const own = toConditions({ userId, agentId })
    return { table: 'memories', conditions: [...own, withTags(filter.tags ?? [])] }
  }
  if (agentId !== undefined || first === undefined || others.length >= JOINED_TAGS_MAX) {
    return { table: 'memories', conditions: toConditions(filter) }
  }
  return {
    table: 'memory_tags',
    conditions: [
      ...when('memory_tags.tag = ?', first),
      ...hasTags('memory_tags.space_no', 'memory_tags.memory_no', others),
    ],
  }
}

/** Looked at in the row. */
export const withTags = (tags: readonly string[]): Condition => ({
  sql: 'memories.tags @> ?::text[]',
  values: [tags],
})

/** Of a memory that passes the filter, besides its space. */
export const toConditions = ({ userId, agentId, tags = [] }: MemoryFilter): Condition[] => [
  ...when('memories.user_id = ?', userId),
  ...when('memories.agent_id = ?', agentId),
  ...hasTags('memories.space_no', 'memories.no', tags.slice(0, JOINED_TAGS_MAX)),
  ...(tags.length > JOINED_TAGS_MAX ? [withTags(tags)] : []),
]
