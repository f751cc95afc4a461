// Made-up secrets do not keep others from the connections: all strangers of a network take turns as one
// asker.
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import { accountOf, sessionOf } from '../conformance/account-records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import { sessionStore } from './accounts/sessions.ts'
import { TIMEOUTS } from './connection/connection.ts'
import { Database } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'
import { sharedLimits } from './shared-limits.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const ONE = prepared('SELECT 1 AS one')
const [FLOODING, ANOTHER] = ['192.0.2.1', '192.0.2.2']

describe.skipIf(server === undefined)('made-up secrets', () => {
  let testDatabase: TestDatabase
  const known = newKey()
  const account = accountOf()
  const session = sessionOf(account.id)

  beforeAll(async () => {
    testDatabase = await newDatabase(server ?? '')
    const store = await openStoreAt(testDatabase.url, 1)
    await insertedKey(store, known)
    await store.console.accounts.insert(account, session)
    await store.close()
  })
  afterAll(() => testDatabase?.drop())

  /** All asked for while the only connection is in use, in the order in which they are answered. */
  async function inOrder(database: Database, asked: Record<string, () => Promise<unknown>>) {
    const order: string[] = []
    const ended = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const held = database.transaction(async (transaction) => {
      await transaction.one(ONE, [])
      begun.resolve()
      await ended.promise
    })
    await begun.promise
    const all = Object.entries(asked).map(([name, ask]) => ask().then(() => order.push(name)))
    ended.resolve()
    await Promise.all([held, ...all])
    return order
  }

  function databaseWithOne(): Database {
    const timeouts = { ...TIMEOUTS, connectMs: 60_000 }
    const { url } = testDatabase
    const database = new Database({
      url,
      role: 'mnemograph_service',
      connectionsMax: 1,
      timeouts,
    })
    onTestFinished(() => database.close())
    return database
  }

  test('keys that nobody knows have one turn for each network, and a known one has its own', async () => {
    const database = databaseWithOne()
    const { admit } = sharedLimits(database)
    const request = { rateClass: 'read', limitDefault: 100, windowMs: 60_000 } as const
    const from = (network: string, { hash } = newKey()) => admit({ ...request, hash, network })
    expect(await from(FLOODING, known)).toBeDefined()
    const order = await inOrder(database, {
      'made up 1': () => from(FLOODING),
      'made up 2': () => from(FLOODING),
      'made up 3': () => from(FLOODING),
      known: () => from(FLOODING, known),
      elsewhere: () => from(ANOTHER),
    })
    expect(order).toEqual(['made up 1', 'known', 'elsewhere', 'made up 2', 'made up 3'])
  })

  test('sessions that nobody knows have one turn for each network, and a known one has its own', async () => {
    const database = databaseWithOne()
    const { findByHash } = sessionStore(database)
    const from = (network: string, { tokenHash } = sessionOf(account.id)) =>
      findByHash(tokenHash, network)
    expect(await from(FLOODING, session)).toBeDefined()
    const order = await inOrder(database, {
      'made up 1': () => from(FLOODING),
      'made up 2': () => from(FLOODING),
      'made up 3': () => from(FLOODING),
      known: () => from(FLOODING, session),
      elsewhere: () => from(ANOTHER),
    })
    expect(order).toEqual(['made up 1', 'known', 'elsewhere', 'made up 2', 'made up 3'])
  })
})
