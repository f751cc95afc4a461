// The WHERE clause of a list: conditions joined with AND, each only when its filter is given.
// Values always travel as bound parameters.
import type { PageRequest } from '../../contract/page.ts'
import type { Page, SpaceId } from '../records.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'
import type { CountedTable, RowCounts } from './upkeep/row-counts.ts'

/** `sql` has a question mark for each value. */
export type Condition = { sql: string; values: Value[] }

/** The condition for a filter that is given, nothing for one that is not. */
export const when = (sql: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [{ sql, values: [value] }]

/** Joined with AND, with numbered parameters after the `before` ones that a statement has already. */
export function whereOf(
  conditions: readonly Condition[],
  before = 0,
): { where: string; values: Value[] } {
  let parameter = before
  const where = conditions
    .map(({ sql }) =>
      sql.replaceAll('?', () => {
        parameter += 1
        return `$${parameter}`
      }),
    )
    .join(' AND ')
  return { where, values: conditions.flatMap(({ values }) => values) }
}

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

/**
 * Reads the total and one page, newest first, of the rows that pass all conditions, in one snapshot. `counted` has as
 * many rows as the list, where these are counted in less time.
 */
export async function readPage<Row extends object>(
  transaction: Transaction,
  { space, table, key, select, rowCounts }: ListSource,
  conditions: readonly Condition[],
  { page, limit }: PageRequest,
  counted: Counted = { table, conditions },
): Promise<Page<Row>> {
  const { where, values } = whereOf([inSpace(table, space), ...conditions])
  const next = values.length + 1
  // The inner query walks an index alone, so that a deep page does not read the rows before it. Of an array the planner
  // expects few rows, and looks each up; joined with the inner query, it would rather read whole tables.
  const items = prepared<Row>(
    `${select} WHERE ${table}.space_no = $1 AND ${table}.${key} = ANY(ARRAY(
       SELECT ${key} FROM ${table} WHERE ${where}
       ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}))
     ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
  )
  const [total, rows] = await Promise.all([
    conditions.length === 0
      ? totalOf(transaction, { rowCounts, space, table })
      : countRows(transaction, space, counted),
    transaction.all(items, [...values, limit, (page - 1) * limit]),
  ])
  return { total, items: rows }
}

/** Of all rows. While the space is not counted yet, that takes the longer the more there are. */
export const totalOf = async (
  transaction: Transaction,
  { rowCounts, space, table }: Pick<ListSource, 'rowCounts' | 'space' | 'table'>,
): Promise<number> =>
  (await rowCounts.total(transaction, space, table)) ??
  (await countRows(transaction, space, { table, conditions: [] }))

async function countRows(
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

const inSpace = (table: string, space: SpaceId): Condition => ({
  sql: `${table}.space_no = ?`,
  values: [space],
})
