// Connections of the tables' owner, which DATABASE_URL names: for the schema and for indexes, never
// for a request. Each lives as long as its work.
import pg, { type ClientBase } from 'pg'
import { StoreRefusal } from '../store.ts'
import { connectionConfig, sessionSql, type Timeouts } from './connection.ts'
import { toStoreError } from './failure.ts'

/** Schema and indexes may take their time; whoever waits for them has chosen to. */
const TIMEOUTS: Timeouts = { connectMs: 10_000, statementMs: 3_600_000, lockMs: 0 }

export async function withOwner<Result>(
  url: string,
  work: (owner: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connectionConfig(url, TIMEOUTS))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(sessionSql(TIMEOUTS))
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The same in one transaction. */
export const asOwner = <Result>(
  url: string,
  work: (owner: ClientBase) => Promise<Result>,
): Promise<Result> =>
  withOwner(url, async (owner) => {
    try {
      await owner.query('BEGIN')
      const result = await work(owner)
      await owner.query('COMMIT')
      return result
    } catch (error) {
      throw error instanceof StoreRefusal ? error : toStoreError(error)
    }
  })
