import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { administer, newDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import type { SpaceId } from '../../records.ts'
import { StoreOverloaded } from '../../store.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { TIMEOUTS } from './connection.ts'
import { Database } from './database.ts'
import { prepared, type Transaction } from './transaction.ts'

const server = inject('postgresUrl')
const [LOUD, QUIET] = [1 as SpaceId, 2 as SpaceId]
const ONE = prepared('SELECT 1 AS one')
const FAILS = prepared('SELECT 1 / 0')
const SLEEP = prepared('SELECT pg_sleep(3)')
const BACKEND = prepared<{ pid: number }>('SELECT pg_backend_pid() AS pid')

describe.skipIf(server === undefined)('connections of which all are in use', () => {
  let testDatabase: TestDatabase

  beforeAll(async () => {
    testDatabase = await newDatabase(server ?? '')
    await (await openStoreAt(testDatabase.url, 1)).close()
  })
  afterAll(() => testDatabase?.drop())

  function databaseWithOne({ connectMs = 60_000, url = testDatabase.url } = {}): Database {
    const database = new Database({
      url,
      role: 'mnemograph_service',
      connectionsMax: 1,
      timeouts: { ...TIMEOUTS, connectMs },
    })
    onTestFinished(() => database.close())
    return database
  }

  /** Has the connection until `end`. */
  async function hold(database: Database): Promise<{ end: () => Promise<void> }> {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = database.inSpace(LOUD, async (transaction) => {
      await transaction.one(ONE, [])
      begun.resolve()
      await ended.promise
    })
    await begun.promise
    return {
      end: async () => {
        ended.resolve()
        await held
      },
    }
  }

  test('go to one asker after the other, however much each has asked for before', async () => {
    const database = databaseWithOne()
    const { end } = await hold(database)
    const order: string[] = []
    const named = (name: string) => async (transaction: Transaction) => {
      order.push(name)
      await transaction.one(ONE, [])
    }
    const all = [
      database.inSpace(LOUD, named('loud 1')),
      database.atOnceInSpace(LOUD, named('loud 2')),
      database.snapshotsOf(LOUD)(named('loud 3')),
      database.inSpace(QUIET, named('quiet')),
      database.transaction(named('of no space')),
      database.query(ONE, [], 'a key').then(() => order.push('a key')),
      database.query(ONE, []).then(() => order.push('a statement')),
    ]
    await end()
    await Promise.all(all)
    expect(order).toEqual([
      'loud 1',
      'quiet',
      'of no space',
      'a key',
      'a statement',
      'loud 2',
      'loud 3',
    ])
  })

  test('are refused to whoever waits for too long, and are there again when they are given back', async () => {
    const database = databaseWithOne({ connectMs: 300 })
    const { end } = await hold(database)
    for (const late of [database.query(ONE, []), database.readInSpace(QUIET, ONE, [])]) {
      await expect(late).rejects.toBeInstanceOf(StoreOverloaded)
    }
    await end()
    expect(await database.query(ONE, [])).toEqual([{ one: 1 }])
  })

  test('are given back after statements and transactions that fail', async () => {
    const database = databaseWithOne()
    const failing = (transaction: Transaction) => transaction.one(FAILS, [])
    for (const fail of [
      () => database.query(FAILS, []),
      () => database.readInSpace(QUIET, FAILS, []),
      () => database.inSpace(QUIET, failing),
      () => database.transaction(failing),
    ]) {
      await expect(fail()).rejects.toMatchObject({ kind: 'fault' })
    }
    expect(await database.query(ONE, [])).toEqual([{ one: 1 }])
  })

  test('that the server has ended go to nobody who waits', async () => {
    const database = databaseWithOne()
    const [backend] = await database.query(BACKEND, [])
    const asked = Promise.allSettled([database.query(SLEEP, []), database.query(ONE, [])])
    await administer(
      testDatabase.administratorUrl,
      `DO $$ BEGIN
         WHILE (SELECT wait_event FROM pg_stat_activity WHERE pid = ${backend?.pid}) IS DISTINCT FROM 'PgSleep'
         LOOP PERFORM pg_stat_clear_snapshot(); END LOOP;
         PERFORM pg_terminate_backend(${backend?.pid});
       END $$`,
    )
    expect(await asked).toMatchObject([
      { reason: { kind: 'unavailable', cause: { code: '57P01' } } },
      { value: [{ one: 1 }] },
    ])
  })

  test('that cannot be made are no reason to wait', async () => {
    const { port } = new URL(testDatabase.url)
    const database = databaseWithOne({ url: testDatabase.url.replace(port, '1') })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(database.query(ONE, [])).rejects.toMatchObject({ kind: 'unavailable' })
    }
  })
})
