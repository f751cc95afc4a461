// Statements and transactions of PostgreSQL. Every wait has an end: for a connection (connections.ts), for a
// statement, for a lock. A transaction is done again only when the server said that nothing of it is stored;
// when nobody knows, as after a connection that ended while it committed, the caller hears `unavailable` and
// has to decide.
import type { PoolClient } from 'pg'
import { errorCodeOf } from '../../../error-code.ts'
import type { Asker } from '../../../turns/fair-queue.ts'
import { LongReads } from '../../long-reads.ts'
import type { SpaceId } from '../../records.ts'
import type { Pace } from '../../store.ts'
import { isRolledBack, toStoreError } from '../failure.ts'
import { BulkWork } from './bulk-work.ts'
import { type Role, TIMEOUTS, type Timeouts } from './connection.ts'
import { Connections } from './connections.ts'
import { onClient, type Statement, type Transaction, type Value } from './transaction.ts'

/** In SET LOCAL of each transaction over the data of a space: the policies compare with it. */
const SPACE_SETTING = 'mnemograph.space_no'
/**
 * Whether a statement is in such a transaction. Where the BEGIN was cancelled there is none, and what was
 * sent behind it commits by itself: the policies keep it from spaces, and the rest has to ask for this.
 */
export const WITHIN_SPACE = `current_setting('${SPACE_SETTING}', true) <> ''`

const REPETITIONS_MAX = 4
/** The asker of transactions over what belongs to no space. */
const OF_NO_SPACE = 'no space'
const READ_ONLY = '25006'
/** The last that the server says on a connection, as when it shuts down. */
const ENDED = /^(57P|25P0[34])/

/** Reads of one space for one caller, all of one moment. `settings` hold for the transaction. */
export type Snapshot = <Result>(
  work: (transaction: Transaction) => Promise<Result>,
  settings?: string,
) => Promise<Result>

type DatabaseOptions = {
  url: string
  role: Role
  connectionsMax: number
  timeouts?: Timeouts
}

export class Database {
  readonly #connections: Connections
  readonly #longReads: LongReads
  readonly #bulk: BulkWork

  constructor({ timeouts = TIMEOUTS, ...options }: DatabaseOptions) {
    const { connectionsMax } = options
    // A part of the connections, so that whatever is short finds one at once.
    const atOnceMax = Math.max(1, connectionsMax - Math.ceil(connectionsMax / 4))
    this.#longReads = new LongReads({ atOnceMax, waitMsMax: 2 * timeouts.connectMs })
    this.#bulk = new BulkWork(Math.max(1, Math.floor(connectionsMax / 2)))
    this.#connections = new Connections({ ...options, timeouts })
  }

  /** One statement on its own. Those of whoever is not named as its asker take turns as one. */
  async query<Row extends object>(
    statement: Statement<Row>,
    values: readonly Value[],
    asker: Asker = statement.name,
  ): Promise<Row[]> {
    const client = await this.#connections.take(asker)
    try {
      const { rows } = await client.query<Row>({ ...statement, values: [...values] })
      this.#connections.giveBack(client)
      return rows
    } catch (error) {
      this.#connections.giveBack(client, { isUnknown: isUnknownAfter(error) })
      throw toStoreError(error)
    }
  }

  /** A transaction over what belongs to no space. No policy guards that, so it waits until it has begun. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#transaction(OF_NO_SPACE, 'BEGIN', async (transaction, commit, begun) => {
      await begun
      return await commitAfter(work(transaction), commit)
    })
  }

  /** A transaction that sees one space, and nothing of others. */
  inSpace<Result>(
    space: SpaceId,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#transaction(space, `BEGIN; ${setSpace(space)}`, (transaction, commit) =>
      commitAfter(work(transaction), commit),
    )
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
    return this.#transaction(space, `BEGIN; ${setSpace(space)}`, (transaction, commit) =>
      commitWith(work(transaction), commit),
    )
  }

  /**
   * The same for what depends on what is there: `look` asks as often as it has to and locks what nobody else
   * waits for, then `write` sends all at once, and the COMMIT right behind it.
   */
  lookThenWriteInSpace<Found, Result>(
    space: SpaceId,
    look: (transaction: Transaction) => Promise<Found>,
    write: (transaction: Transaction, found: Found) => Promise<Result>,
  ): Promise<Result> {
    return this.#transaction(space, `BEGIN; ${setSpace(space)}`, async (transaction, commit) => {
      const found = await look(transaction)
      return await commitWith(write(transaction, found), commit)
    })
  }

  /**
   * All that the work reads of the space is of one moment. It may take long: long-reads.ts, whose signal is
   * `left`.
   */
  snapshotsOf(space: SpaceId, left?: AbortSignal): Snapshot {
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${setSpace(space)}`
    return (work, settings = '') => {
      const read = () =>
        this.#transaction(space, `${begin}; ${settings}`, (transaction, commit) =>
          commitAfter(work(transaction), commit),
        )
      return this.#longReads.run(space, read, left)
    }
  }

  /** Work of the methods above, which waits for its turn when it is one of many. */
  atPace<Result>(pace: Pace, asker: Asker, work: () => Promise<Result>): Promise<Result> {
    return pace === 'bulk' ? this.#bulk.run(asker, work) : work()
  }

  /** One statement over a space, sent together with its transaction. The first row. */
  async readInSpace<Row extends object>(
    space: SpaceId,
    statement: Statement<Row>,
    values: readonly Value[],
  ): Promise<Row | undefined> {
    const client = await this.#connections.take(space)
    try {
      const [, row] = await Promise.all([
        client.query(`BEGIN READ ONLY; ${setSpace(space)}`),
        onClient(client).one(statement, values),
        client.query('COMMIT'),
      ])
      this.#connections.giveBack(client)
      return row
    } catch (error) {
      await this.#rollBack(client, error)
      throw toStoreError(error)
    }
  }

  /** Resolves when what is under way has ended; whatever is asked later is refused as unavailable. */
  close(): Promise<void> {
    return this.#connections.close()
  }

  async #transaction<Result>(
    asker: Asker,
    begin: string,
    work: Committing<Result>,
  ): Promise<Result> {
    for (let repetitions = 0; ; repetitions += 1) {
      const client = await this.#connections.take(asker)
      try {
        // The first statement travels with the BEGIN.
        const begun = client.query(begin)
        const [, result] = await Promise.all([
          begun,
          work(onClient(client, begun), () => client.query('COMMIT'), begun),
        ])
        this.#connections.giveBack(client)
        return result
      } catch (error) {
        await this.#rollBack(client, error)
        if (!isRolledBack(error) || repetitions === REPETITIONS_MAX) throw toStoreError(error)
      }
    }
  }

  async #rollBack(client: PoolClient, error: unknown): Promise<void> {
    let isUnknown = isUnknownAfter(error)
    try {
      if (!isUnknown) await client.query('ROLLBACK')
    } catch {
      isUnknown = true
    }
    this.#connections.giveBack(client, { isUnknown })
  }
}

type Commit = () => Promise<unknown>

/** Commits by itself. */
type Committing<Result> = (
  transaction: Transaction,
  commit: Commit,
  begun: Promise<unknown>,
) => Promise<Result>

async function commitAfter<Result>(work: Promise<Result>, commit: Commit): Promise<Result> {
  const result = await work
  await commit()
  return result
}

/** The COMMIT travels right behind what the work has sent by now, which is all of it. */
async function commitWith<Result>(work: Promise<Result>, commit: Commit): Promise<Result> {
  const [result] = await Promise.all([work, commit()])
  return result
}

/** A number of ours, so that it needs no parameter and travels with the BEGIN. */
const setSpace = (space: SpaceId): string =>
  `SET LOCAL ${SPACE_SETTING} = '${Number.isSafeInteger(space) ? space : 0}'`

/**
 * After anything but an answer of the server, the state of the connection is not known. And one that
 * cannot write leads to a server that is no primary any more: the next one may lead to the new one.
 */
const isUnknownAfter = (error: unknown): boolean =>
  ENDED.test(errorCodeOf(error)) ||
  errorCodeOf(error) === READ_ONLY ||
  (error instanceof Error && !('severity' in error) && toStoreError(error).kind === 'unavailable')
