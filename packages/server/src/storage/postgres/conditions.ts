// The WHERE clause of a list: conditions joined with AND, each only when its filter is given.
// Values always travel as bound parameters.
import type { PageRequest } from '../../contract/page.ts'
import type { Page } from '../records.ts'
import { prepared, type Transaction, type Value } from './connection/transaction.ts'

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

/**
 * Reads `COUNT(*)` and one page, newest first, over the same conditions in one snapshot. `counted` has as many rows
 * as the list, where these are counted in less time.
 */
export async function readPage<Row extends object>(
  transaction: Transaction,
  source: { table: string; key: string; select: string },
  conditions: readonly Condition[],
  { page, limit }: PageRequest,
  counted: Counted = { table: source.table, conditions },
): Promise<Page<Row>> {
  const { table, key, select } = source
  const { where, values } = whereOf(conditions)
  const next = values.length + 1
  const all = whereOf(counted.conditions)
  const total = prepared<{ total: number }>(
    `SELECT COUNT(*) AS total FROM ${counted.table} WHERE ${all.where}`,
  )
  // The inner query walks an index alone, so that a deep page does not read the rows before it.
  const items = prepared<Row>(
    `${select} JOIN (
       SELECT space_no, ${key} FROM ${table} WHERE ${where}
       ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}) AS page
       ON page.space_no = ${table}.space_no AND page.${key} = ${table}.${key}
     ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
  )
  const [count, rows] = await Promise.all([
    transaction.one(total, all.values),
    transaction.all(items, [...values, limit, (page - 1) * limit]),
  ])
  return { total: count?.total ?? 0, items: rows }
}
