// A pool of connections to PostgreSQL, and transactions on them. Every wait has an end: for a free
// connection, for a connection to come about, for a statement, for a lock. A transaction is done
// again only when the server said that nothing of it is stored; when nobody knows, as after a
// connection that ended while it committed, the caller hears `unavailable` and has to decide.
import { hash } from 'node:crypto'
import pg, { type ClientConfig, type PoolClient } from 'pg'
import { type SpaceId, StoreError } from '../store.ts'
import { isRolledBack, postgresCodeOf, toStoreError } from './failure.ts'
import { LongReads } from './long-reads.ts'

/** In SET LOCAL of each transaction over the data of a space: the policies compare with it. */
const SPACE_SETTING = 'mnemograph.space_no'
export const SCHEMA = 'mnemograph'

export type Role = 'mnemograph_service' | 'mnemograph_maintenance'

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

export type Timeouts = { connectMs: number; statementMs: number; lockMs: number }

/** Whoever finds that the server does not answer any more is told so within 5 s. */
export const TIMEOUTS: Timeouts = { connectMs: 2_500, statementMs: 3_500, lockMs: 3_000 }

/** A transaction holds up others, and no work between two of its statements takes so long. */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000
const REPETITIONS_MAX = 4
const INT8 = 20
const IN_FAILED_TRANSACTION = '25P02'
const READ_ONLY = '25006'

type DatabaseOptions = {
  url: string
  role: Role
  connectionsMax: number
  timeouts?: Timeouts
}

export class Database {
  readonly #pool: pg.Pool
  readonly #longReads: LongReads
  #closing: Promise<void> | undefined

  constructor({ url, role, connectionsMax, timeouts = TIMEOUTS }: DatabaseOptions) {
    this.#longReads = new LongReads({ connectionsMax, waitMsMax: 2 * timeouts.connectMs })
    this.#pool = new pg.Pool({
      ...connectionConfig(url, timeouts),
      connectionTimeoutMillis: timeouts.connectMs,
      max: connectionsMax,
      // The pool waits for it before it hands out the connection for the first time.
      onConnect: async (client) => {
        await client.query(
          `SET ROLE ${role}; SET plan_cache_mode = force_generic_plan; ${sessionSql(timeouts)}`,
        )
      },
    })
    // A connection that ends while nobody uses it is replaced; whoever asks next hears of trouble.
    this.#pool.on('error', () => undefined)
    // The pool listens only while a connection is idle. One that ends in use tells so to its
    // statements, and must not end the process beside.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /** One statement on its own. */
  async query<Row extends object>(
    statement: Statement<Row>,
    values: readonly Value[],
  ): Promise<Row[]> {
    const client = await this.#connect()
    try {
      const { rows } = await client.query<Row>({ ...statement, values: [...values] })
      client.release()
      return rows
    } catch (error) {
      client.release(mustEnd(error))
      throw toStoreError(error)
    }
  }

  /** A transaction over what belongs to no space. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#transaction('BEGIN', work)
  }

  /** A transaction that sees one space, and nothing of others. */
  inSpace<Result>(
    space: SpaceId,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#transaction(`BEGIN; ${setSpace(space)}`, work)
  }

  /**
   * The same in one round trip: the COMMIT travels right behind the statements, all of which the work
   * has to send before it waits for anything. Whatever undoes it has to fail in the database. So no
   * lock is held while this process is busy with something else.
   */
  atOnceInSpace<Result>(
    space: SpaceId,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#transaction(`BEGIN; ${setSpace(space)}`, work, { commitsAtOnce: true })
  }

  /**
   * All that the work reads of the space is of one moment. It may take long: long-reads.ts. `settings` hold
   * for the transaction.
   */
  snapshotOf<Result>(
    space: SpaceId,
    work: (transaction: Transaction) => Promise<Result>,
    settings = '',
  ): Promise<Result> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
    return this.#longReads.run(space, () =>
      this.#transaction(`${begin}; ${setSpace(space)}; ${settings}`, work),
    )
  }

  /** One statement over a space, sent together with its transaction. The first row. */
  async readInSpace<Row extends object>(
    space: SpaceId,
    statement: Statement<Row>,
    values: readonly Value[],
  ): Promise<Row | undefined> {
    const client = await this.#connect()
    try {
      const [, row] = await Promise.all([
        client.query(`BEGIN READ ONLY; ${setSpace(space)}`),
        onClient(client).one(statement, values),
        client.query('COMMIT'),
      ])
      client.release()
      return row
    } catch (error) {
      await rollBack(client, error)
      throw toStoreError(error)
    }
  }

  /** Resolves when what is under way has ended; whatever is asked later is refused as unavailable. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    return this.#closing
  }

  async #transaction<Result>(
    begin: string,
    work: (transaction: Transaction) => Promise<Result>,
    { commitsAtOnce = false } = {},
  ): Promise<Result> {
    for (let repetitions = 0; ; repetitions += 1) {
      const client = await this.#connect()
      try {
        // The first statement travels with the BEGIN.
        const [, result] = await Promise.all([
          client.query(begin),
          work(onClient(client)),
          commitsAtOnce ? client.query('COMMIT') : undefined,
        ])
        if (!commitsAtOnce) await client.query('COMMIT')
        client.release()
        return result
      } catch (error) {
        await rollBack(client, error)
        if (!isRolledBack(error) || repetitions === REPETITIONS_MAX) throw toStoreError(error)
      }
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      // Whatever the reason (a name that is not resolved, a password that was changed, a full pool),
      // nothing was sent, and later it may work.
      throw new StoreError('unavailable', error)
    }
  }
}

export function connectionConfig(url: string, timeouts: Timeouts): ClientConfig {
  return {
    connectionString: url,
    application_name: 'mnemograph',
    keepAlive: true,
    pipeline: true,
    // When the server itself does not answer any more.
    query_timeout: timeouts.statementMs + 500,
    types: {
      getTypeParser: (oid, format) =>
        // Numbers, times and counts here stay far below 2^53.
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  }
}

/**
 * What each connection sets for itself. A server, a database or a role may have settings of their own, such
 * as a `statement_timeout`: none of them ends a migration or an export early, or changes what a statement of
 * ours means.
 */
export const sessionSql = ({ statementMs, lockMs }: Timeouts): string =>
  `SET search_path = ${SCHEMA}, public; SET default_transaction_isolation = 'read committed';
   SET lock_timeout = ${lockMs}; SET statement_timeout = ${statementMs};
   SET idle_in_transaction_session_timeout = ${Math.min(2 * statementMs, IDLE_IN_TRANSACTION_MS_MAX)};
   SET standard_conforming_strings = on; SET array_nulls = on; SET extra_float_digits = 1;
   SET row_security = on`

export function onClient(client: pg.ClientBase): Transaction {
  let failure: unknown
  /** What was sent behind a statement that failed is refused for that; the failure is the first one. */
  async function query<Row extends object>(
    { name, text }: Statement<Row>,
    values: readonly Value[],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await client.query<Row>({ name, text, values: [...values] })
    } catch (error) {
      failure ??= error
      throw postgresCodeOf(error) === IN_FAILED_TRANSACTION ? failure : error
    }
  }
  return {
    all: async (statement, values) => (await query(statement, values)).rows,
    one: async (statement, values) => (await query(statement, values)).rows[0],
    run: async (statement, values) => (await query(statement, values)).rowCount ?? 0,
  }
}

/** A number of ours, so that it needs no parameter and travels with the BEGIN. */
const setSpace = (space: SpaceId): string =>
  `SET LOCAL ${SPACE_SETTING} = '${Number.isSafeInteger(space) ? space : 0}'`

async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  if (mustEnd(error)) {
    client.release(true)
    return
  }
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(true)
  }
}

/**
 * After anything but an answer of the server, the state of the connection is not known. And one that
 * cannot write leads to a server that is no primary any more: the next one may lead to the new one.
 */
const mustEnd = (error: unknown): boolean =>
  postgresCodeOf(error) === READ_ONLY ||
  (error instanceof Error && !('severity' in error) && toStoreError(error).kind === 'unavailable')
