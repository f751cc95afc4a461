// What filters memories, as groups of a list (lists.ts), and the totals of filters that name several
// groups. What take-in.ts has not taken into these groups yet is told by the memories' own columns.
// Such a total is walked for once and then kept: it stays right until the smallest group loses a memory,
// and new memories are looked at one by one. Both are told apart by the group's size, which is counted in
// every write, and by the numbers of memories, which only grow.
// decisions/2026-11-21-lists.md
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { MemoryFilter } from '../../store.ts'
import type { Connection } from '../opening/open-database.ts'
import { type CombinedTotal, type Filter, type Group, STATEMENTS_MAX, type Walk } from './lists.ts'

const KEPT_MAX = 1_000
/** Beyond so many new memories a new walk is not dearer than looking at them. */
const NEW_MAX = 5_000
/** A walk over fewer rows is not worth keeping. */
const SMALL = 200

export const ALL_MEMORIES: Group = {
  kind: 'memories',
  value: '',
  from: 'memories AS listed INDEXED BY memories_by_time',
  no: 'listed.no',
}

// The sign in front of each EXISTS keeps SQLite from making a join of it: to plan a join of fifty tags
// takes seconds, every time anew, during which nobody else reads.
const IS_LISTED = 'space_no = listed.space_no AND created_at = listed.created_at AND id = listed.id'

const byColumn = (
  column: 'user_id' | 'agent_id',
  index: string,
): Omit<Group, 'kind' | 'value'> => ({
  from: `memories AS listed INDEXED BY ${index}`,
  no: 'listed.no',
  where: `listed.in_lists = 1 AND listed.${column} = ?`,
  // The index holds all of it, where the row itself would have to be fetched from elsewhere.
  has: `+EXISTS (SELECT 1 FROM memories INDEXED BY ${index}
    WHERE in_lists = 1 AND ${column} = ? AND ${IS_LISTED})`,
  hasUnlisted: `listed.${column} = ?`,
})

const byUser = byColumn('user_id', 'memories_by_user')
const byAgent = byColumn('agent_id', 'memories_by_agent')
const byTag: Omit<Group, 'kind' | 'value'> = {
  from: 'memory_tags AS listed',
  no: 'listed.memory_no',
  where: 'listed.tag = ?',
  has: `+EXISTS (SELECT 1 FROM memory_tags WHERE tag = ? AND ${IS_LISTED})`,
  hasUnlisted: '+EXISTS (SELECT 1 FROM json_each(listed.tags) WHERE value = ?)',
}

/** FROM and WHERE of those that no other group holds yet. */
export const UNLISTED_MEMORIES =
  'memories AS listed INDEXED BY memories_unlisted WHERE listed.in_lists = 0'

export function toGroups({ userId, agentId, tags = [] }: MemoryFilter): Filter {
  return {
    groups: [
      ...(userId === undefined
        ? []
        : [{ ...byUser, kind: 'memories of user', value: userId } as const]),
      ...(agentId === undefined
        ? []
        : [{ ...byAgent, kind: 'memories of agent', value: agentId } as const]),
      ...[...new Set(tags)].map((value): Group => ({ ...byTag, kind: 'memories with tag', value })),
    ],
  }
}

/** `size` is of the smallest group, `lastNo` of the memory that was the newest then. */
type Kept = { total: number; size: number; lastNo: number }
type New = { size: number; total: number }

export function combinedTotals(db: Connection): CombinedTotal {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX })
  const last = db.prepare<[], number>('SELECT no FROM memories ORDER BY no DESC LIMIT 1').pluck()
  const prepare = (sql: string) => db.prepare<unknown[], New>(sql)
  const prepared = new LRUCache<string, ReturnType<typeof prepare>>({ max: STATEMENTS_MAX })

  /** Of the memories after a number: how many are in the smallest group, and in all of them. */
  function countNew(walk: Walk, others: Group[], lastNo: number): New | undefined {
    const { smallest } = walk
    const all = others.map(({ hasUnlisted }) => hasUnlisted).join(' AND ')
    const sql = `SELECT COUNT(*) AS size, COALESCE(SUM(${all}), 0) AS total
      FROM memories AS listed NOT INDEXED
      WHERE listed.no > ? AND listed.space_no = ? AND ${smallest.hasUnlisted}`
    const count = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, count)
    return count.get(...others.map(({ value }) => value), lastNo, walk.space, smallest.value)
  }

  return (walk, others, walkAll) => {
    if (walk.size < SMALL) return walkAll()
    // Its filter alone can be a hundred kilobytes.
    const key = hash('sha256', JSON.stringify([walk.rows, walk.values]), 'base64url')
    const lastNo = last.get() ?? 0
    const before = kept.get(key)
    const arrived =
      before && lastNo - before.lastNo <= NEW_MAX
        ? countNew(walk, others, before.lastNo)
        : undefined
    const isRight = before && arrived && before.size + arrived.size === walk.size
    const total = isRight ? before.total + arrived.total : walkAll()
    kept.set(key, { total, size: walk.size, lastNo })
    return total
  }
}
