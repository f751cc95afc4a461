// What runs out all at once, such as the records of a large import a day later, is forgotten a little
// at a time: other writes go in between, and the log keeps its bound.
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { newMember } from '../conformance/account-records.ts'
import { insertedKey, newKey, subjectOf } from '../conformance/subject.ts'
import type { Store } from '../store.ts'
import { databaseFile } from './opening/data-folder.ts'
import { openDatabase } from './opening/open-database.ts'
import { openIn } from './testing/store-in-folder.ts'

const COUNT = 20_000

async function openStore() {
  const directory = newFolder()
  const store = await openIn(directory)
  const db = openDatabase(databaseFile(directory))
  onTestFinished(() => {
    db.close()
  })
  return {
    store,
    /** As many rows of a kind as `select` makes of the numbers from 1 on. */
    fill: (table: string, select: string, keyId: string) =>
      db
        .prepare(
          `WITH RECURSIVE numbers (n) AS (
             SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT})
           INSERT INTO ${table} ${select} FROM numbers`,
        )
        .run(keyId),
    count: (table: string) => db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get(),
  }
}

const RECORDS = `SELECT ?, hex(randomblob(16)), hex(randomblob(16)), 'mem_1', n`
const STATISTICS = `SELECT ?, '2025-01-01', hex(randomblob(16)), n`

/** How many other writes are done before the work is. */
async function writesDuring(store: Store, work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let writes = 0
  for (; !isOver; writes += 1) await store.check()
  await over
  return writes
}

test.each([
  ['idempotency', RECORDS, (store: Store) => store.idempotency.expire(COUNT + 1)],
  ['statistics', STATISTICS, (store: Store) => store.console.statistics.expire('2026-01-01')],
] as const)(
  'however much of the %s runs out at once, other writes go in between',
  async (table, select, expire) => {
    const { store, fill, count } = await openStore()
    fill(table, select, (await insertedKey(store, newKey())).id)
    expect(count(table)).toBe(COUNT)
    expect(await writesDuring(store, expire(store))).toBeGreaterThan(10)
    expect(count(table)).toBe(0)
  },
)

test('a store that is closed meanwhile leaves the rest for another time, which is no failure', async () => {
  const { store, fill, count } = await openStore()
  fill('idempotency', RECORDS, (await insertedKey(store, newKey())).id)
  const expiry = store.idempotency.expire(COUNT + 1)
  await store.check()
  await store.close()
  await expiry
  expect(count('idempotency')).toBeGreaterThan(0)
})

test('a purge forgets what was answered to repeatable creates in steps as well', async () => {
  const { store, fill, count } = await openStore()
  const { account } = await newMember(subjectOf(store))
  const keys = store.console.forAccount(account.id)
  const key = newKey()
  await keys.insert(key)
  fill('idempotency', RECORDS, key.id)
  await keys.revoke(key.id)
  let steps = 1
  for (; !Object(await keys.purge(key.id, 1)).isDone; steps += 1) {
    expect(await keys.find(key.id)).toMatchObject({ purgedAt: undefined })
  }
  expect(steps).toBeGreaterThan(10)
  expect(count('idempotency')).toBe(0)
  expect(await keys.find(key.id)).toMatchObject({ purgedAt: 1 })
})
