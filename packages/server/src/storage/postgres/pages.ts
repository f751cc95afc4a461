// Lists: the total, and one page of rows with the newest first, read in one snapshot. Statements are planned without
// their values, so a plan that reads whole tables has to be out of the question, however many rows there are.
// decisions/2026-11-28-totals-without-counting.md
import type { PageRequest } from '../../contract/page.ts'
import type { Page, SpaceId } from '../records.ts'
import { type Condition, inSpace, whereOf } from './conditions.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'
import type { CountedTable, RowCounts } from './upkeep/row-counts.ts'

/** Rows of a table, of which there is one for each row of a list. */
export type Counted = { table: string; conditions: readonly Condition[] }

/** What a list is read from: the rows of a space, each known by its key. */
export type ListSource = {
  space: SpaceId
  table: CountedTable
  key: string
  select: string
  rowCounts: RowCounts
}

/** The total and one page, newest first, of the rows that pass all conditions. */
export async function readPage<Row extends object>(
  transaction: Transaction,
  { space, table, key, select, rowCounts }: ListSource,
  conditions: readonly Condition[],
  { page, limit }: PageRequest,
): Promise<Page<Row>> {
  const { where, values } = whereOf([inSpace(table, space), ...conditions])
  const next = values.length + 1
  // It walks an index alone, so that a deep page does not read the rows before it.
  const keys = `SELECT ${key} FROM ${table} WHERE ${where}
    ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`
  const [total, rows] = await Promise.all([
    conditions.length === 0
      ? totalOf(transaction, { rowCounts, space, table })
      : countRows(transaction, space, { table, conditions }),
    readRows<Row>(transaction, { table, key, select }, keys, [
      ...values,
      limit,
      (page - 1) * limit,
    ]),
  ])
  return { total, items: rows }
}

/**
 * The rows whose keys a query selects, newest first. Its first value is the space. Of an array the planner expects few
 * rows and looks each up; joined with the query, it would rather read whole tables.
 */
export const readRows = <Row extends object>(
  transaction: Transaction,
  { table, key, select }: Pick<ListSource, 'table' | 'key' | 'select'>,
  keys: string,
  values: readonly Value[],
): Promise<Row[]> =>
  transaction.all(
    prepared<Row>(
      `${select} WHERE ${table}.space_no = $1 AND ${table}.${key} = ANY(ARRAY(${keys}))
       ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
    ),
    values,
  )

/** How many rows there are. While the space is not counted yet, that takes the longer the more there are. */
export const totalOf = async (
  transaction: Transaction,
  { rowCounts, space, table }: Pick<ListSource, 'rowCounts' | 'space' | 'table'>,
): Promise<number> =>
  (await rowCounts.total(transaction, space, table)) ??
  (await countRows(transaction, space, { table, conditions: [] }))

/** One by one, which takes the longer the more pass the conditions. */
export async function countRows(
  transaction: Transaction,
  space: SpaceId,
  { table, conditions }: Counted,
): Promise<number> {
  const { where, values } = whereOf([inSpace(table, space), ...conditions])
  const statement = prepared<{ total: number }>(
    `SELECT COUNT(*) AS total FROM ${table} WHERE ${where}`,
  )
  return (await transaction.one(statement, values))?.total ?? 0
}
