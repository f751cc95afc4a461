// The WHERE clause of a list: conditions joined with AND, each only when its filter is given.
// Values always travel as bound parameters.
import type { PageRequest } from '../../contract/page.ts'
import type { Page } from '../store.ts'
import type { Connection } from './open-database.ts'

export type Condition = { sql: string; values: (string | number)[] }

/** The condition for a filter that is given, nothing for one that is not. */
export const when = (sql: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [{ sql, values: [value] }]

/** Runs `SELECT COUNT(*)` and one page, newest first, over the same conditions in one snapshot. */
export function pageReader<Row>(db: Connection, source: { table: string; select: string }) {
  const { table, select } = source
  const prepare = (where: string) => ({
    total: db.prepare<unknown[], number>(`SELECT COUNT(*) FROM ${table} WHERE ${where}`).pluck(),
    // The inner query walks an index alone, so that a deep page does not read the rows before it.
    items: db.prepare<unknown[], Row>(
      `${select} WHERE ${table}.no IN (
         SELECT no FROM ${table} WHERE ${where}
         ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?)
       ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
    ),
  })
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  const snapshot = db.transaction(
    (where: string, values: (string | number)[], { page, limit }: PageRequest): Page<Row> => {
      const statements = prepared.get(where) ?? prepare(where)
      prepared.set(where, statements)
      return {
        total: statements.total.get(...values) ?? 0,
        items: statements.items.all(...values, limit, (page - 1) * limit),
      }
    },
  )
  return (conditions: Condition[], page: PageRequest): Page<Row> =>
    snapshot(
      conditions.map((condition) => condition.sql).join(' AND '),
      conditions.flatMap((condition) => condition.values),
      page,
    )
}
