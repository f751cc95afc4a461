// Lists of memories by user, agent and tags, and where a search finds what passes them. The memories of a user who has
// few are looked at one by one. Else the rarest of the tags is looked for, and the rest in the memories that have it.
// Nothing is joined, since the planner does not know how many have a tag, takes them for a few, and would hold every
// memory of a large space against every one of them.
// decisions/2026-11-28-totals-without-counting.md
import type { PageRequest } from '../../contract/page.ts'
import type { MemoryRecord, Page, SpaceId } from '../records.ts'
import type { MemoryFilter } from '../store.ts'
import { type Condition, inSpace, when, whereOf } from './conditions.ts'
import type { Snapshot } from './connection/database.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'
import { MEMORY_LIST, ofUserAndAgent, withTags } from './memory-rows.ts'
import { readPage, readRows } from './pages.ts'
import { oneByItself } from './search/plans.ts'
import type { RowCounts } from './upkeep/row-counts.ts'

/** So many with a tag are looked at whatever the page is, and of tags that more have it is not asked which is rarer. */
const FEW = 2_000

/** The memories of a user who has no more are looked at for a list. */
const FEW_OF_USER = 20_000

const OF_USER = prepared<{ memories: number }>(
  `SELECT COUNT(*) AS memories FROM (
     SELECT 1 FROM memories WHERE space_no = $1 AND user_id = $2 LIMIT ${FEW_OF_USER + 1}) AS few`,
)
const RARITY = prepared<{ tag: string; memories: number }>(
  `SELECT tag, memories FROM unnest($2::text[]) AS asked (tag) ${oneByItself(
    `SELECT COUNT(*) AS memories FROM (
       SELECT 1 FROM memory_tags WHERE space_no = $1 AND memory_tags.tag = asked.tag
       LIMIT ${FEW + 1}) AS few`,
    'counted',
  )} ORDER BY memories`,
)
const TAGGED = 'memory_tags CROSS JOIN LATERAL (SELECT memory_no) AS numbered (no)'
const TAGGED_MEMORIES = `memory_tags ${oneByItself(
  `SELECT no, user_id, agent_id, tags, created_at, id FROM memories
   WHERE space_no = $1 AND no = memory_tags.memory_no`,
  'memories',
)}`
/** A bitmap takes all of an index before a LIMIT could end it. */
const ROW_BY_ROW = 'SET LOCAL enable_bitmapscan = off'
const NEWEST_FIRST = 'ORDER BY memories.created_at DESC, memories.id DESC'

export const readMemoryPage = (
  snapshot: Snapshot,
  { space, rowCounts }: { space: SpaceId; rowCounts: RowCounts },
  filter: MemoryFilter,
  page: PageRequest,
): Promise<Page<MemoryRecord>> =>
  filter.tags?.length
    ? snapshot((transaction) => readTagged(transaction, space, filter, page), ROW_BY_ROW)
    : readPage(
        snapshot,
        { ...MEMORY_LIST, space, rowCounts, conditions: ofUserAndAgent(filter) },
        page,
      )

/**
 * Where the numbers of the memories that pass a filter are found, as `no`. The first condition is the space, and
 * `$1` has to be.
 */
export type Numbers = { from: string; conditions: readonly Condition[] }

export const numbersOf = async (
  transaction: Transaction,
  space: SpaceId,
  filter: MemoryFilter,
): Promise<Numbers> => passing(space, await wayTo(transaction, space, filter))

/** Its first tag is the rarest, where memories are found by a tag. */
type Way = { filter: MemoryFilter; isByTag: boolean }

/** By the rarest tag, if few have it or no user is asked for: the memories of one are looked at otherwise. */
async function wayTo(transaction: Transaction, space: SpaceId, filter: MemoryFilter): Promise<Way> {
  const { userId, tags = [] } = filter
  if (tags.length === 0) return { filter, isByTag: false }
  if (tags.length === 1 && userId === undefined) return { filter, isByTag: true }
  const rows = await transaction.all(RARITY, [space, tags])
  const isByTag = userId === undefined || rows.some(({ memories }) => memories <= FEW)
  return { filter: { ...filter, tags: rows.map(({ tag }) => tag) }, isByTag }
}

/** Who counts all that pass does not look at all memories of a user who has many. */
async function wayToAll(
  transaction: Transaction,
  space: SpaceId,
  asked: MemoryFilter,
): Promise<Way> {
  const { filter, isByTag } = await wayTo(transaction, space, asked)
  if (isByTag || filter.userId === undefined) return { filter, isByTag }
  const found = await transaction.one(OF_USER, [space, filter.userId])
  return { filter, isByTag: found !== undefined && found.memories > FEW_OF_USER }
}

function passing(space: SpaceId, { filter, isByTag }: Way): Numbers {
  const { userId, agentId, tags = [] } = filter
  if (!isByTag) {
    const own = [...ofUserAndAgent(filter), ...withTags(tags)]
    return { from: 'memories', conditions: [inSpace('memories', space), ...own] }
  }
  const isOfTag = userId === undefined && agentId === undefined && tags.length === 1
  return { from: isOfTag ? TAGGED : TAGGED_MEMORIES, conditions: tagged(space, filter) }
}

function tagged(space: SpaceId, filter: MemoryFilter): Condition[] {
  const [rarest, ...others] = filter.tags ?? []
  return [
    inSpace('memory_tags', space),
    ...when('memory_tags.tag = ?', rarest),
    ...ofUserAndAgent(filter),
    ...withTags(others),
  ]
}

/**
 * Those that are found by a tag are looked for in one of two ways, whichever looks at fewer: among the newest, until
 * the page is full, or among all that have it.
 */
async function readTagged(
  transaction: Transaction,
  space: SpaceId,
  asked: MemoryFilter,
  { page, limit }: PageRequest,
): Promise<Page<MemoryRecord>> {
  const way = await wayToAll(transaction, space, asked)
  const { filter, isByTag } = way
  const { from, conditions } = passing(space, way)
  const { where, values } = whereOf(conditions)
  const count = prepared<{ total: number }>(`SELECT COUNT(*) AS total FROM ${from} WHERE ${where}`)
  const total = (await transaction.one(count, values))?.total ?? 0
  const before = (page - 1) * limit
  const expected = Math.min(limit, total - before)
  if (expected <= 0) return { total, items: [] }
  const read = ({ sql, values: bound }: Query) => readRows(transaction, MEMORY_LIST, sql, bound)
  if (!isByTag || total > FEW) {
    const newest = isByTag ? total : Number.MAX_SAFE_INTEGER
    const items = await read(amongNewest(space, filter, { limit, before, newest }))
    if (items.length === expected) return { total, items }
  }
  return { total, items: await read(amongTagged(space, filter, { limit, before })) }
}

type Query = { sql: string; values: Value[] }

/** Numbers of those on a page, if they are among so many of the newest that pass the rest of the filter. */
function amongNewest(
  space: SpaceId,
  filter: MemoryFilter,
  { limit, before, newest }: { limit: number; before: number; newest: number },
): Query {
  const rest = whereOf([inSpace('memories', space), ...ofUserAndAgent(filter)])
  const { where, values } = whereOf(withTags(filter.tags ?? []), rest.values.length + 1)
  const next = rest.values.length + values.length + 2
  return {
    sql: `SELECT no FROM (SELECT no, created_at, id, tags FROM memories WHERE ${rest.where}
            ${NEWEST_FIRST} LIMIT $${rest.values.length + 1}) AS memories
          WHERE ${where} ${NEWEST_FIRST} LIMIT $${next} OFFSET $${next + 1}`,
    values: [...rest.values, newest, ...values, limit, before],
  }
}

/** Numbers of those on a page, among all that have the rarest tag. */
function amongTagged(
  space: SpaceId,
  filter: MemoryFilter,
  { limit, before }: { limit: number; before: number },
): Query {
  const { where, values } = whereOf(tagged(space, filter))
  const next = values.length + 1
  return {
    sql: `SELECT no FROM ${TAGGED_MEMORIES} WHERE ${where}
          ${NEWEST_FIRST} LIMIT $${next} OFFSET $${next + 1}`,
    values: [...values, limit, before],
  }
}
