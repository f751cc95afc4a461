// Long work that one process at a time does on a database: an advisory lock of a connection that stays
// open, which the server drops when the process dies, however it dies. It drops it too when the connection
// ends without the process, as with a restart of the server; then another one may begin, so this one stops.
import pg from 'pg'
import { StoreRefusal } from '../../store.ts'
import { toStoreError } from '../failure.ts'
import { connectionConfig, sessionSql, type Timeouts } from './connection.ts'

/**
 * Returns what gives the lock back. Throws a StoreRefusal with the message when another has it. `onLost`
 * has to keep this process from going on.
 */
export async function lockAlone(
  { url, timeouts, lock }: { url: string; timeouts: Timeouts; lock: string },
  isTaken: string,
  onLost: () => void,
): Promise<() => Promise<void>> {
  const client = new pg.Client(connectionConfig(url, timeouts))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(sessionSql(timeouts))
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${lock}) AS locked`,
    )
    if (rows[0]?.locked !== true) throw new StoreRefusal(isTaken)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error instanceof StoreRefusal ? error : toStoreError(error)
  }
  client.once('end', onLost)
  return () => {
    client.off('end', onLost)
    return client.end()
  }
}
