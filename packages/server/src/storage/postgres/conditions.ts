// The WHERE clause of a list: conditions joined with AND, each only when its filter is given.
// Values always travel as bound parameters.
import type { SpaceId } from '../records.ts'
import type { Value } from './connection/transaction.ts'

/** `sql` has a question mark for each value. */
export type Condition = { sql: string; values: Value[] }

/** The condition for a filter that is given, nothing for one that is not. */
export const when = (sql: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [{ sql, values: [value] }]

export const inSpace = (table: string, space: SpaceId): Condition => ({
  sql: `${table}.space_no = ?`,
  values: [space],
})

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
