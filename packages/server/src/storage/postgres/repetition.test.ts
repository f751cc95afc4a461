// A transaction is done again when the server said that nothing of it is stored, and only then.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import { entityOf, FIRST_PAGE, NO_RECEIPT } from '../conformance/records.ts'
import { type FreshSpace, subjectOf } from '../conformance/subject.ts'
import type { Store } from '../store.ts'
import { Database } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const APPEND = prepared('UPDATE entities SET name = name || $1 WHERE id = $2')
const raising = (code: string) =>
  prepared(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`)
const ATTEMPTS_MAX = 5

describe.skipIf(server === undefined)('a transaction', () => {
  let testDatabase: TestDatabase
  let store: Store
  let database: Database
  let space: FreshSpace
  const [anna, ben] = [entityOf({ name: 'Anna' }), entityOf({ name: 'Ben' })]

  beforeAll(async () => {
    testDatabase = await newDatabase(server ?? '')
    const { url } = testDatabase
    store = await openStoreAt(url, 4)
    database = new Database({ url, role: 'mnemograph_service', connectionsMax: 4 })
  })
  afterAll(async () => {
    await database?.close()
    await store?.close()
    await testDatabase?.drop()
  })
  beforeEach(async () => {
    space = await subjectOf(store).newSpace()
    await space.entities.insert(anna, NO_RECEIPT)
    await space.entities.insert(ben, NO_RECEIPT)
  })

  const append = (transaction: Transaction, letter: string, { id }: { id: string }) =>
    transaction.run(APPEND, [letter, id])
  const names = async (): Promise<string[]> =>
    (await space.entities.page({}, FIRST_PAGE)).items.map(({ name }) => name).toSorted()

  test('that loses a deadlock is done again, and takes effect once', async () => {
    const { promise: bothHold, resolve: go } = Promise.withResolvers<void>()
    let holding = 0
    let attempts = 0
    const opposed = (letter: string, first: typeof anna, second: typeof anna) =>
      database.inSpace(space.spaceId, async (transaction) => {
        attempts += 1
        await append(transaction, letter, first)
        holding += 1
        if (holding === 2) go()
        await bothHold
        await append(transaction, letter, second)
      })
    await Promise.all([opposed('x', anna, ben), opposed('y', ben, anna)])
    // Whoever is done again may lose again.
    expect(attempts).toBeGreaterThanOrEqual(3)
    expect((await names()).map((name) => [...name].toSorted().join(''))).toEqual([
      'Aannxy',
      'Benxy',
    ])
  })

  test.each(['40001', '40P01'])(
    'that the server rolled back with %s is done again',
    async (code) => {
      let attempts = 0
      await database.inSpace(space.spaceId, async (transaction) => {
        attempts += 1
        await append(transaction, 'x', anna)
        if (attempts < ATTEMPTS_MAX) await transaction.run(raising(code), [])
      })
      expect(attempts).toBe(ATTEMPTS_MAX)
      expect(await names()).toEqual(['Annax', 'Ben'])
    },
  )

  test.each([
    ['40001', ATTEMPTS_MAX, 'unavailable'],
    // Not known, resources, terminated, locks, a full disk, what is there already.
    ['40003', 1, 'unavailable'],
    ['53200', 1, 'unavailable'],
    ['57P01', 1, 'unavailable'],
    ['55P03', 1, 'unavailable'],
    ['53100', 1, 'full'],
    ['23505', 1, 'fault'],
  ])('that always fails with %s is tried %i times and %s', async (code, tries, kind) => {
    let attempts = 0
    const tried = database.inSpace(space.spaceId, async (transaction) => {
      attempts += 1
      await append(transaction, 'x', anna)
      await transaction.run(raising(code), [])
    })
    await expect(tried).rejects.toMatchObject({ kind })
    expect(attempts).toBe(tries)
    expect(await names()).toEqual(['Anna', 'Ben'])
  })
})
