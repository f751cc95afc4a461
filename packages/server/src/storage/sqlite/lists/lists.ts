// One page of a list, newest first, and how many rows it has in all, in one snapshot. A list is
// filtered by groups (the memories of a user, the relations of a type), whose sizes are counted
// (counts.ts) and whose rows lie in the order of the list. It walks the smallest of its groups and
// looks there whether a row is in the others, so that it never reads more than that group. Rows
// themselves are read only for the page. Rows that no group holds yet are few, and all looked at. A list
// whose walk would look too often is not begun by whoever has others to answer: `pageIfShort`.
// Values always travel as bound parameters.
// decisions/2026-11-21-list-order.md, decisions/2026-11-21-lists.md
import { LRUCache } from 'lru-cache'
import type { PageRequest } from '../../../contract/page.ts'
import type { Page, SpaceId } from '../../records.ts'
import type { Connection } from '../opening/open-database.ts'
import { type CountKind, countReads } from './counts.ts'

/** Its SQL calls the rows that are walked `listed`. */
export type Group = {
  kind: CountKind
  value: string
  /** The table or index in the order of the list, and its column with the number of the row. */
  from: string
  no: string
  /** Of the rows of the group, with the value. Undefined where there is no filter. */
  where?: string
  /** Whether a row of another group is in this one, too. The same as `where` unless given. */
  has?: string
  /** Whether a row belongs to the group, by the row alone. Only where there are unlisted rows. */
  hasUnlisted?: string
}

/** What has no group: looked at in each row. */
type Condition = { sql: string; values: (string | number)[] }

export type Filter = { groups: Group[]; conditions?: Condition[] }

/** The walk that answers a filter: `rows` selects `no`, `created_at` and `id` of each. */
export type Walk = {
  space: SpaceId
  smallest: Group
  size: number
  rows: string
  values: unknown[]
}
/** How many rows a walk over several groups finds; `walkAll` finds out by walking. */
export type CombinedTotal = (walk: Walk, others: Group[], walkAll: () => number) => number

/**
 * Callers choose which filters they name, and the sizes of the groups in which order they come: tens of
 * thousands of statements, which would be kept for ever.
 */
export const STATEMENTS_MAX = 100

/** Into groups and names for one page, for which others wait. It takes some ten milliseconds. */
const LOOKS_MAX = 5_000
/** What it takes to look for a text in a name. */
const LOOKS_OF_CONDITION = 3

type Ask<Asked, Answer> = (space: SpaceId, asked: Asked, page: PageRequest) => Answer

type List<Asked, Item> = {
  page: Ask<Asked, Page<Item>>
  /** Undefined for a list that may take long: callers choose its filters, and how many rows they walk. */
  pageIfShort: Ask<Asked, Page<Item> | undefined>
}

/** A group of the filter, or all rows, with its size. */
type Sized = { group: Group; size: number }

type Source<Asked, Row, Item> = {
  table: string
  select: string
  toFilter: (asked: Asked) => Filter
  toItem: (row: Row) => Item
  /** The group of all rows. */
  whole: Group
  /** Where the rows are that only this group holds yet: FROM and WHERE. */
  unlisted?: string
  combinedTotal?: CombinedTotal
}

export function listReader<Asked, Row, Item>(
  db: Connection,
  source: Source<Asked, Row, Item>,
): List<Asked, Item> {
  const { table, select, toFilter, toItem, whole, unlisted, combinedTotal } = source
  const countOf = countReads(db)
  // The order is of the innermost rows: there SQLite merges unions instead of sorting them.
  const itemsOf = (rows: string, order: 'ASC' | 'DESC') =>
    db.prepare<unknown[], Row>(
      `${select} WHERE ${table}.no IN (SELECT no FROM (
         ${rows} ORDER BY created_at ${order}, id ${order} LIMIT ? OFFSET ?))
       ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
    )
  const prepare = (rows: string) => ({
    total: db.prepare<unknown[], number>(`SELECT COUNT(*) FROM (${rows})`).pluck(),
    fromNewest: itemsOf(rows, 'DESC'),
    fromOldest: itemsOf(rows, 'ASC'),
  })
  const prepared = new LRUCache<string, ReturnType<typeof prepare>>({ max: STATEMENTS_MAX })

  /** The smallest first. */
  const sizesOf = (space: SpaceId, { groups }: Filter): Sized[] =>
    (groups.length > 0 ? groups : [whole])
      .map((group) => ({ group, size: countOf(space, group.kind, group.value) }))
      .sort((a, b) => a.size - b.size)

  function read(
    space: SpaceId,
    { groups, conditions = [] }: Filter,
    { page, limit }: PageRequest,
    [least, ...rest]: Sized[],
  ): Page<Item> {
    if (least === undefined || least.size === 0) return { total: 0, items: [] }
    const others = rest.map(({ group }) => group)
    const hasUnlisted = groups.length > 0 ? unlisted : undefined
    const walk = walkOf({ space, least, others, conditions, unlisted: hasUnlisted })
    const statements = prepared.get(walk.rows) ?? prepare(walk.rows)
    prepared.set(walk.rows, statements)
    const walkAll = (): number => statements.total.get(...walk.values) ?? 0
    const totalOf = (): number => {
      if (conditions.length > 0) return walkAll()
      if (others.length === 0) return least.size
      return combinedTotal?.(walk, others, walkAll) ?? walkAll()
    }
    const total = totalOf()
    const before = (page - 1) * limit
    if (before >= total) return { total, items: [] }
    const after = Math.max(0, total - before - limit)
    const rows =
      before <= after
        ? statements.fromNewest.all(...walk.values, limit, before)
        : statements.fromOldest.all(...walk.values, Math.min(limit, total - before), after)
    return { total, items: rows.map(toItem) }
  }

  return {
    page: db.transaction((space, asked, page) => {
      const filter = toFilter(asked)
      return read(space, filter, page, sizesOf(space, filter))
    }),
    pageIfShort: db.transaction((space, asked, page) => {
      const filter = toFilter(asked)
      const sized = sizesOf(space, filter)
      return looksOf(sized, filter) > LOOKS_MAX ? undefined : read(space, filter, page, sized)
    }),
  }
}

/** As many as a walk over all of the smallest group takes. */
function looksOf([least, ...others]: Sized[], { conditions = [] }: Filter): number {
  return (least?.size ?? 0) * (others.length + LOOKS_OF_CONDITION * conditions.length)
}

type Walked = {
  space: SpaceId
  least: Sized
  others: Group[]
  conditions: Condition[]
  unlisted: string | undefined
}

function walkOf({ space, least, others, conditions, unlisted }: Walked): Walk {
  const { group, size } = least
  const looks = (ofGroups: (string | undefined)[]): string =>
    ['listed.space_no = ?', ...ofGroups, ...conditions.map(({ sql }) => sql)]
      .filter((sql) => sql !== undefined)
      .join(' AND ')
  const select = (no: string, from: string): string =>
    `SELECT ${no} AS no, listed.created_at AS created_at, listed.id AS id FROM ${from}`
  const listed = looks([group.where, ...others.map(({ has, where }) => has ?? where)])
  const rows = select(group.no, `${group.from} WHERE ${listed}`)
  const values = [
    space,
    ...(group.where === undefined ? [] : [group.value]),
    ...others.map(({ value }) => value),
    ...conditions.flatMap((condition) => condition.values),
  ]
  const walk = { space, smallest: group, size }
  if (unlisted === undefined) return { ...walk, rows, values }
  const rest = looks([group, ...others].map(({ hasUnlisted }) => hasUnlisted))
  const all = `${rows} UNION ALL ${select('listed.no', `${unlisted} AND ${rest}`)}`
  return { ...walk, rows: all, values: [...values, ...values] }
}
