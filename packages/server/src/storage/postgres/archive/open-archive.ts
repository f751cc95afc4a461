// A database to read for an archive, beside any number of servers, and one to fill from an archive,
// which nobody else may use meanwhile.
import pg from 'pg'
import type { ArchiveSource, ArchiveTarget } from '../../archive.ts'
import { connectionConfig, sessionSql, type Timeouts } from '../connection/connection.ts'
import { Database } from '../connection/database.ts'
import { lockAlone } from '../connection/lock-alone.ts'
import { LOCKS } from '../connection/locks.ts'
import { onClient } from '../connection/transaction.ts'
import { toStoreError } from '../failure.ts'
import { type PostgresOptions, prepareDatabase } from '../open-store.ts'
import { Upkeep } from '../upkeep/upkeep.ts'
import { archiveSource } from './archive-source.ts'
import { archiveTarget } from './archive-target.ts'

/** Counting all rows, or a block of many vectors, may take its time. */
const TIMEOUTS: Timeouts = { connectMs: 10_000, statementMs: 600_000, lockMs: 60_000 }

type Options = Pick<PostgresOptions, 'url' | 'durability'>

/** What is committed before the call is in it. Throws a StoreRefusal, also when there is no store. */
export async function openPostgresArchiveSource(options: Options): Promise<ArchiveSource> {
  await prepareDatabase(options, { existing: true })
  const client = new pg.Client(connectionConfig(options.url, TIMEOUTS))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      `SET ROLE mnemograph_maintenance; ${sessionSql(TIMEOUTS)};
       SET idle_in_transaction_session_timeout = 0`,
    )
    await client.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_sort = off',
    )
    const source = await archiveSource(onClient(client))
    return {
      ...source,
      async *records() {
        try {
          yield* source.records()
        } catch (error) {
          throw toStoreError(error)
        }
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toStoreError(error)
  }
}

/** Throws a StoreRefusal when another import has the database, or when it cannot be used. */
export async function openPostgresArchiveTarget(options: Options): Promise<ArchiveTarget> {
  const { url } = options
  await prepareDatabase(options, { forImport: true })
  const database = new Database({
    url,
    role: 'mnemograph_maintenance',
    connectionsMax: 2,
    timeouts: TIMEOUTS,
  })
  const release = await lockAlone(
    { url, timeouts: TIMEOUTS, lock: LOCKS.import },
    'Another process imports into this database. Let it finish, or stop it.',
    () => void database.close(),
  )
  const upkeep = new Upkeep(database, () => undefined)
  return {
    ...archiveTarget(database, url, (space, generation) => upkeep.lookAfter(space, generation)),
    async close() {
      await upkeep.close()
      await database.close()
      await release()
    },
  }
}
