// Long work that one process at a time does on a database: an advisory lock of a connection that stays
// open, which the server drops when the process dies, however it dies.
import pg from 'pg'
import { StoreRefusal } from '../store.ts'
import { connectionConfig, type Timeouts } from './database.ts'

/** Returns what gives the lock back. Throws a StoreRefusal with the message when another has it. */
export async function lockAlone(
  { url, timeouts, lock }: { url: string; timeouts: Timeouts; lock: string },
  isTaken: string,
): Promise<() => Promise<void>> {
  const client = new pg.Client(connectionConfig(url, timeouts))
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${lock}) AS locked`,
  )
  if (rows[0]?.locked === true) return () => client.end()
  await client.end()
  throw new StoreRefusal(isTaken)
}
