// Connections of the tables' owner, which DATABASE_URL names: for the schema and for indexes, never
// for a request. Each lives as long as its work.
import { Socket } from 'node:net'
import pg, { type ClientBase } from 'pg'
import { StoreRefusal } from '../../store.ts'
import { toStoreError } from '../failure.ts'
import { connectionConfig, sessionSql, type Timeouts } from './connection.ts'

/** Schema and indexes may take their time; whoever waits for them has chosen to. */
const TIMEOUTS: Timeouts = { connectMs: 10_000, statementMs: 3_600_000, lockMs: 0 }

/** The signal ends the connection, whatever is under way on it; the server may go on with that. */
export async function withOwner<Result>(
  url: string,
  work: (owner: ClientBase) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  // Whoever sends ahead waits for all answers at the end.
  const stream = new Socket()
  const config = { ...connectionConfig(url, TIMEOUTS), pipeline: false, stream: () => stream }
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  // A client that is told to end while it connects never says so.
  const end = (): void => void stream.destroy()
  signal?.addEventListener('abort', end)
  try {
    signal?.throwIfAborted()
    await client.connect()
    await client.query(sessionSql(TIMEOUTS))
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', end)
    await client.end().catch(() => undefined)
  }
}

/** The same in one transaction. Throws a StoreError, or the StoreRefusal of the work. */
export async function asOwner<Result>(
  url: string,
  work: (owner: ClientBase) => Promise<Result>,
): Promise<Result> {
  try {
    return await withOwner(url, async (owner) => {
      await owner.query('BEGIN')
      const result = await work(owner)
      await owner.query('COMMIT')
      return result
    })
  } catch (error) {
    throw error instanceof StoreRefusal ? error : toStoreError(error)
  }
}
