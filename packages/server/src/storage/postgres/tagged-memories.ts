// Lists of the memories with some tags. The memories of a user are looked at one after the other: they are few. All
// others are found by one of two ways, whichever looks at fewer: the newest of the space, until the page is full, or
// all that have the first tag. The planner knows neither how many have a tag nor which page is asked for, and would
// take one way for all.
// decisions/2026-11-28-totals-without-counting.md
import type { PageRequest } from '../../contract/page.ts'
import type { MemoryRecord, Page, SpaceId } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { type Condition, inSpace, whereOf } from './conditions.ts'
import type { Snapshot } from './connection/database.ts'
import type { Value } from './connection/transaction.ts'
import { countedTags, MEMORY_LIST, toConditions, withTags } from './memory-rows.ts'
import { countRows, readRows } from './pages.ts'
import { eachByItself } from './search/plans.ts'

/** So many with a tag are looked at whatever the page is. */
const FEW = 1_000

/** The filter has tags. */
export const readTaggedPage = (
  snapshot: Snapshot,
  space: SpaceId,
  filter: MemoryFilter,
  { page, limit }: PageRequest,
): Promise<Page<MemoryRecord>> =>
  snapshot(async (transaction) => {
    const total = await countRows(transaction, space, countedTags(filter))
    const before = (page - 1) * limit
    const expected = Math.min(limit, total - before)
    if (expected <= 0) return { total, items: [] }
    const read = ({ sql, values }: Query) => readRows(transaction, MEMORY_LIST, sql, values)
    const isOfUser = filter.userId !== undefined
    if (isOfUser || total > FEW) {
      const newest = isOfUser ? Number.MAX_SAFE_INTEGER : total
      const items = await read(amongNewest(space, filter, { limit, before, newest }))
      if (items.length === expected) return { total, items }
    }
    return { total, items: await read(amongTagged(space, filter, { limit, before })) }
  })

type Query = { sql: string; values: Value[] }

const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'

const ownConditions = ({ userId, agentId }: MemoryFilter): Condition[] =>
  toConditions({ userId, agentId })

/** Numbers of those on a page, if they are among so many of the newest that pass the rest of the filter. */
function amongNewest(
  space: SpaceId,
  filter: MemoryFilter,
  { limit, before, newest }: { limit: number; before: number; newest: number },
): Query {
  const rest = whereOf([inSpace('memories', space), ...ownConditions(filter)])
  const { where, values } = whereOf([withTags(filter.tags ?? [])], rest.values.length + 1)
  const next = rest.values.length + values.length + 2
  return {
    sql: `SELECT no FROM (SELECT no, created_at, id, tags FROM memories WHERE ${rest.where}
            ${NEWEST_FIRST} LIMIT $${rest.values.length + 1}) AS memories
          WHERE ${where} ${NEWEST_FIRST} LIMIT $${next} OFFSET $${next + 1}`,
    values: [...rest.values, newest, ...values, limit, before],
  }
}

/** Numbers of those on a page, among all that have the first tag. */
function amongTagged(
  space: SpaceId,
  filter: MemoryFilter,
  { limit, before }: { limit: number; before: number },
): Query {
  const [first = '', ...others] = filter.tags ?? []
  const asked = [space, first]
  const { where, values } = whereOf([...ownConditions(filter), withTags(others)], asked.length)
  const next = asked.length + values.length + 1
  const one = `SELECT no, created_at, id FROM memories
    WHERE space_no = $1 AND no = tagged.memory_no AND ${where}`
  return {
    sql: `SELECT no FROM (SELECT memory_no FROM memory_tags WHERE space_no = $1 AND tag = $2) AS tagged
          ${eachByItself(one, 'memory')} ${NEWEST_FIRST} LIMIT $${next} OFFSET $${next + 1}`,
    values: [...asked, ...values, limit, before],
  }
}
