// A database as an earlier version left it, instances of today's that open it, and connections of an
// administrator, who also stands for that version where it goes on.
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { newEmptyDatabase } from '../../../testing/postgres.ts'
import type { Store } from '../../store.ts'
import { SCHEMA } from '../connection/connection.ts'
import { openPostgresStore } from '../open-store.ts'
import { migrateUpTo } from './schema.ts'

/** Everything goes away with the test. `failures` are those behind the requests of the instances. */
export async function earlierDatabase(serverUrl: string, lastMigration: number) {
  const { url, administratorUrl, drop } = await newEmptyDatabase(serverUrl)
  onTestFinished(drop)
  await migrateUpTo(url, lastMigration)
  const connected = async () => {
    const client = new pg.Client({ connectionString: administratorUrl })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`SET search_path = ${SCHEMA}, public`)
    return async (sql: string): Promise<Record<string, unknown>[]> =>
      (await client.query<Record<string, unknown>>(sql)).rows
  }
  const failures: unknown[] = []
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore({
      url,
      durability: 'required',
      connectionsMax: 4,
      onBackgroundError: (error) => failures.push(error),
    })
    onTestFinished(() => store.close())
    return store
  }
  return { url, connected, open, failures }
}
