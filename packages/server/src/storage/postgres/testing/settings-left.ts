// What a transaction sets for itself must end with it: which space the policies show, whether a commit waits
// for the disk, how a statement is planned. Else the next one on the same connection would be held to it.
import { vi } from 'vitest'
import type { Store } from '../../store.ts'
import { Database } from '../connection/database.ts'
import { prepared } from '../connection/transaction.ts'

/**
 * The list of PostgreSQL leaves out settings that are ours. The pause is long enough for the others to be under
 * way: then each has a connection of its own.
 */
const SETTINGS = prepared<{ setting: string }>(
  `SELECT name || ' = ' || setting AS setting FROM pg_settings CROSS JOIN pg_sleep(0.1)
   WHERE source = 'session'
   UNION ALL
   SELECT 'space = ' || space FROM current_setting('mnemograph.space_no', true) AS space
   WHERE space <> ''`,
)

/** What as many connections of the store as are given have set beyond what a new connection has. */
export async function settingsLeft(store: Store, url: string, connections: number) {
  const fresh = new Database({ url, role: 'mnemograph_service', connectionsMax: 1 })
  const own = new Set(await all(fresh, 1))
  await fresh.close()
  return (await all(await databaseOf(store), connections)).filter((setting) => !own.has(setting))
}

async function databaseOf(store: Store): Promise<Database> {
  const query = vi.spyOn(Database.prototype, 'query')
  await store.check()
  const database: unknown = query.mock.contexts[0]
  query.mockRestore()
  if (!(database instanceof Database)) throw new Error('The store has asked no database.')
  return database
}

async function all(database: Database, connections: number): Promise<string[]> {
  const asked = Array.from({ length: connections }, () => database.query(SETTINGS, []))
  return (await Promise.all(asked)).flatMap((rows) => rows.map(({ setting }) => setting))
}
