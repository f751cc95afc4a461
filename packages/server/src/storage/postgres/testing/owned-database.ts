// A database of a test's own with the service's tables, and a connection of an administrator, whom no
// policy holds: for what would take minutes through the store, such as thousands of rows, and for what only
// the tables tell.
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { newDatabase } from '../../../testing/postgres.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import type { VectorModel } from '../../generation.ts'
import type { SpaceId } from '../../records.ts'
import type { Store } from '../../store.ts'
import { SCHEMA, type Timeouts } from '../connection/connection.ts'
import type { PostgresOptions } from '../open-store.ts'
import { openStoreAt } from './open-store-at.ts'

export type OwnedDatabase = {
  options: Pick<PostgresOptions, 'url' | 'durability'>
  store: Store
  generation: number
  newSpace: () => Promise<SpaceId>
  /** As the administrator. */
  ask: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
}

/** Everything goes away with the test. */
export async function ownedDatabase(
  serverUrl: string,
  timeouts?: Timeouts,
  model: VectorModel = MODEL,
): Promise<OwnedDatabase> {
  const { url, administratorUrl, drop } = await newDatabase(serverUrl)
  onTestFinished(drop)
  const options = { url, durability: 'required' } as const
  const store = await openStoreAt(url, 6, timeouts && { timeouts })
  onTestFinished(() => store.close())
  const administrator = new pg.Client({ connectionString: administratorUrl })
  await administrator.connect()
  onTestFinished(() => administrator.end())
  await administrator.query(`SET search_path = ${SCHEMA}, public; SET synchronous_commit = off`)
  return {
    options,
    store,
    generation: (await store.generations.adopt(model)).number,
    newSpace: async () => (await insertedKey(store, newKey())).spaceId,
    ask: async (sql, values) =>
      (await administrator.query<Record<string, unknown>>(sql, values)).rows,
  }
}
