// Lists: the total, and one page of rows with the newest first, read in one snapshot. Statements are planned without
// their values, so a plan that reads whole tables has to be out of the question, however many rows there are.
// decisions/2026-11-28-totals-without-counting.md
import type { PageRequest } from '../../contract/page.ts'
import type { Page, SpaceId } from '../records.ts'
import { type Condition, inSpace, whereOf } from './conditions.ts'
import type { Snapshot } from './connection/database.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'
import type { CountedTable, RowCounts } from './upkeep/row-counts.ts'

/** Rows of a table with their keys in a space, and how they are read. */
type Rows<Row, Item> = {
  table: CountedTable
  key: string
  select: string
  toItem: (row: Row) => Item
}

type List<Row, Item> = Rows<Row, Item> & {
  space: SpaceId
  rowCounts: RowCounts
  conditions: readonly Condition[]
}

/** The total and one page, newest first, of the rows that pass all conditions. */
export const readPage = <Row extends object, Item>(
  snapshot: Snapshot,
  list: List<Row, Item>,
  { page, limit }: PageRequest,
): Promise<Page<Item>> =>
  snapshot(async (transaction) => {
    const { space, table, key, conditions } = list
    const { where, values } = whereOf([inSpace(table, space), ...conditions])
    const next = values.length + 1
    // It walks an index alone, so that a deep page does not read the rows before it.
    const keys = `SELECT ${key} FROM ${table} WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`
    const [total, items] = await Promise.all([
      conditions.length === 0
        ? totalOf(transaction, list)
        : countRows(transaction, space, { table, conditions }),
      readRows(transaction, list, keys, [...values, limit, (page - 1) * limit]),
    ])
    return { total, items }
  })

/**
 * The rows whose keys a query selects, newest first. Its first value is the space. Of an array the planner expects few
 * rows and looks each up; joined with the query, it would rather read whole tables.
 */
export async function readRows<Row extends object, Item>(
  transaction: Transaction,
  { table, key, select, toItem }: Rows<Row, Item>,
  keys: string,
  values: readonly Value[],
): Promise<Item[]> {
  const statement = prepared<Row>(
    `${select} WHERE ${table}.space_no = $1 AND ${table}.${key} = ANY(ARRAY(${keys}))
     ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
  )
  return (await transaction.all(statement, values)).map(toItem)
}

/** How many rows there are. While the space is not counted yet, that takes the longer the more there are. */
export const totalOf = async (
  transaction: Transaction,
  { rowCounts, space, table }: { rowCounts: RowCounts; space: SpaceId; table: CountedTable },
): Promise<number> =>
  (await rowCounts.total(transaction, space, table)) ??
  (await countRows(transaction, space, { table, conditions: [] }))

/** One by one, which takes the longer the more pass the conditions. */
async function countRows(
  transaction: Transaction,
  space: SpaceId,
  { table, conditions }: { table: CountedTable; conditions: readonly Condition[] },
): Promise<number> {
  const { where, values } = whereOf([inSpace(table, space), ...conditions])
  const statement = prepared<{ total: number }>(
    `SELECT COUNT(*) AS total FROM ${table} WHERE ${where}`,
  )
  return (await transaction.one(statement, values))?.total ?? 0
}
