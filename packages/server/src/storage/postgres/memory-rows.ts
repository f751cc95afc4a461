// Rows of memories, and the conditions of a filter over them.
import type { MemoryRecord } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { type Condition, when } from './conditions.ts'
import { isFound } from './search/plans.ts'

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

/** So many tags are looked up in their index; to plan a look-up of each of fifty takes long. */
const LOOKED_UP_TAGS_MAX = 3

export const ofUserAndAgent = ({ userId, agentId }: MemoryFilter): Condition[] => [
  ...when('memories.user_id = ?', userId),
  ...when('memories.agent_id = ?', agentId),
]

/** Looked at in the row of the memory. */
export const withTags = (tags: readonly string[]): Condition[] =>
  tags.length === 0 ? [] : [{ sql: 'memories.tags @> ?::text[]', values: [tags] }]

/** Of a memory that is looked at by itself and passes the filter, in the space `$1`. */
export const toConditions = ({ tags = [], ...rest }: MemoryFilter): Condition[] => [
  ...ofUserAndAgent(rest),
  ...tags.slice(0, LOOKED_UP_TAGS_MAX).map((tag) => ({
    sql: isFound('FROM memory_tags WHERE space_no = $1 AND tag = ? AND memory_no = memories.no'),
    values: [tag],
  })),
  ...(tags.length > LOOKED_UP_TAGS_MAX ? withTags(tags) : []),
]
