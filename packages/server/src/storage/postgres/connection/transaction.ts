// Statements within a transaction of PostgreSQL. Each connection prepares a statement once, under a name made of
// its text.
import { hash } from 'node:crypto'
import type pg from 'pg'
import { errorCodeOf } from '../../../error-code.ts'

/** A statement that each connection prepares once. `Row` is what it answers. */
export type Statement<Row extends object> = {
  readonly name: string
  readonly text: string
  readonly row?: Row
}

/** What can be bound to a parameter. A list is an array of PostgreSQL. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[]

export interface Transaction {
  /** All rows of the answer. */
  all<Row extends object>(statement: Statement<Row>, values: readonly Value[]): Promise<Row[]>
  /** The first row. */
  one<Row extends object>(
    statement: Statement<Row>,
    values: readonly Value[],
  ): Promise<Row | undefined>
  /** How many rows were inserted, changed or deleted. */
  run(statement: Statement<object>, values: readonly Value[]): Promise<number>
}

export function prepared<Row extends object = object>(text: string): Statement<Row> {
  return { name: hash('sha256', text, 'base64url').slice(0, 24), text }
}

const IN_FAILED_TRANSACTION = '25P02'

/**
 * Once `begun`, the answer to the BEGIN, is a failure nothing more is sent: the connection goes back to the pool
 * then, and whoever has it next would find the statements in a transaction of his own.
 */
export function onClient(client: pg.ClientBase, begun?: Promise<unknown>): Transaction {
  let notBegun: unknown
  begun?.catch((error: unknown) => {
    notBegun = error
  })
  let failure: unknown
  /** What was sent behind a statement that failed is refused for that; the failure is the first one. */
  async function query<Row extends object>(
    { name, text }: Statement<Row>,
    values: readonly Value[],
  ): Promise<pg.QueryResult<Row>> {
    if (notBegun !== undefined) throw notBegun
    try {
      return await client.query<Row>({ name, text, values: [...values] })
    } catch (error) {
      failure ??= error
      throw errorCodeOf(error) === IN_FAILED_TRANSACTION ? failure : error
    }
  }
  return {
    all: async (statement, values) => (await query(statement, values)).rows,
    one: async (statement, values) => (await query(statement, values)).rows[0],
    run: async (statement, values) => (await query(statement, values)).rowCount ?? 0,
  }
}
