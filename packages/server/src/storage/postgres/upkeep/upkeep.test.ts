// What is left to be counted is counted once for all who meet it, in parts that a statement can manage, and
// not tried for ever. The database is played, since a real one is not too slow on demand.
import { expect, test } from 'vitest'
import type { SpaceId } from '../../records.ts'
import { StoreError } from '../../store.ts'
import type { Statement, Transaction } from '../connection/transaction.ts'
import { CREATES_MAX, SPACES_INDEXED_AT_ONCE, Upkeep } from './upkeep.ts'

const SPACE = 1 as SpaceId
const GENERATION = 1
const TIMEOUT = new StoreError('unavailable', Object.assign(new Error('text'), { code: '57014' }))
const AWAY = new StoreError('unavailable', new Error('Connection terminated'))

test('a space that waits to be counted waits once, however many searches meet what is left', async () => {
  const first = Promise.withResolvers<void>()
  let counts = 0
  const transaction: Transaction = {
    all: async () => [],
    run: async () => 0,
    async one() {
      counts += 1
      await first.promise
      return undefined
    },
  }
  const database = {
    inSpace: <Result>(_space: SpaceId, work: (of: Transaction) => Promise<Result>) =>
      work(transaction),
    readInSpace: async () => undefined,
  }
  const failures: unknown[] = []
  const upkeep = new Upkeep(database, (error) => failures.push(error))
  const search = () => upkeep.noteUncounted(SPACE, GENERATION, 1_000)
  search()
  await expect.poll(() => counts).toBe(1)
  // What has come since the count began may not be in it.
  for (let searches = 0; searches < 50; searches += 1) search()
  first.resolve()
  await new Promise(setImmediate)
  expect(counts).toBe(2)
  search()
  await new Promise(setImmediate)
  expect([counts, failures]).toEqual([3, []])
  await upkeep.close()
})

/** Where `waiting` memories wait to be counted, of which a statement can count so many. */
function databaseWith({ waiting, countedMax }: { waiting: number; countedMax: number }) {
  const tried: number[] = []
  let left = waiting
  const transaction = {
    all: async () => [],
    run: async () => 0,
    async one<Row extends object>({ text }: Statement<Row>): Promise<Row | undefined> {
      const max = Number(/LIMIT (\d+)/.exec(text)?.[1])
      tried.push(max)
      if (max > countedMax) throw TIMEOUT
      const done = Math.min(max, left)
      left -= done
      return Object({ is_last: done < max })
    },
  }
  return {
    tried,
    left: () => left,
    inSpace: <Result>(_space: SpaceId, work: (of: Transaction) => Promise<Result>) =>
      work(transaction),
    readInSpace: async () => undefined,
  }
}

test('a space is counted once for some dozens of creates, and not for the few that a search meets', async () => {
  const database = databaseWith({ waiting: 0, countedMax: 1_000 })
  const upkeep = new Upkeep(database, throwError)
  upkeep.noteUncounted(SPACE, GENERATION, 256)
  for (let creates = 0; creates < 3 * CREATES_MAX - 1; creates += 1) {
    upkeep.noteCreated(SPACE, GENERATION)
    await new Promise(setImmediate)
  }
  await upkeep.close()
  expect(database.tried).toHaveLength(2)
})

test('what takes longer than a statement may is counted in smaller parts', async () => {
  const database = databaseWith({ waiting: 600, countedMax: 250 })
  await new Upkeep(database, () => undefined).lookAfter(SPACE, GENERATION)
  expect([database.left(), database.tried]).toEqual([0, [1_000, 500, 250, 250, 250]])
})

test('what cannot be counted one by one, or fails otherwise, is told and not tried for ever', async () => {
  const stuck = databaseWith({ waiting: 600, countedMax: 0 })
  const looked = (database: ReturnType<typeof databaseWith>) =>
    new Upkeep(database, () => undefined).lookAfter(SPACE, GENERATION)
  await expect(looked(stuck)).rejects.toBe(TIMEOUT)
  expect(stuck.tried.at(-1)).toBe(1)
  const away = {
    ...databaseWith({ waiting: 1, countedMax: 1 }),
    inSpace: () => Promise.reject(AWAY),
  }
  await expect(looked(away)).rejects.toBe(AWAY)
})

test('of a thousand large spaces two at once are given places in the index, and all take turns', async () => {
  const spaces = Array.from({ length: 1_000 }, (_, index) => (index + 1) as SpaceId)
  const batches: SpaceId[] = []
  let underWay = 0
  let mostAtOnce = 0
  const database = {
    async inSpace<Result>(space: SpaceId, work: (of: Transaction) => Promise<Result>) {
      return await work({
        all: async () => [],
        run: async () => 0,
        async one<Row extends object>({ text }: Statement<Row>): Promise<Row | undefined> {
          if (!text.includes('UPDATE pieces')) return undefined
          underWay += 1
          mostAtOnce = Math.max(mostAtOnce, underWay)
          batches.push(space)
          await new Promise(setImmediate)
          underWay -= 1
          // Each has three batches.
          return Object({ is_last: batches.filter((each) => each === space).length === 3 })
        },
      })
    },
    readInSpace: async () => Object({ memories: 30_000, dimension: 5, unindexed: 201 }),
  }
  const upkeep = new Upkeep(database, throwError)
  for (const space of spaces) upkeep.noteUncounted(space, GENERATION, 1_000)
  await expect.poll(() => batches.length, { timeout: 20_000 }).toBe(3 * spaces.length)
  expect(mostAtOnce).toBe(SPACES_INDEXED_AT_ONCE)
  // Whoever comes when others are under way does not wait for the last batch of any.
  expect(new Set(batches.slice(0, spaces.length + 100)).size).toBeGreaterThan(spaces.length - 100)
  await upkeep.close()
})

test('few rows without a place in the index are left to the scan, and a close waits for a batch of many', async () => {
  const held = Promise.withResolvers<void>()
  let begun = 0
  const database = {
    inSpace: <Result>(_space: SpaceId, work: (of: Transaction) => Promise<Result>) =>
      work({
        all: async () => [],
        run: async () => 0,
        async one<Row extends object>({ text }: Statement<Row>): Promise<Row | undefined> {
          if (!text.includes('UPDATE pieces')) return undefined
          begun += 1
          await held.promise
          return Object({ is_last: true })
        },
      }),
    readInSpace: async (space: SpaceId) =>
      Object({ memories: 30_000, dimension: 5, unindexed: space === SPACE ? 200 : 201 }),
  }
  const upkeep = new Upkeep(database, throwError)
  await upkeep.lookAfter(SPACE, GENERATION)
  expect(begun).toBe(0)
  upkeep.noteUncounted(2 as SpaceId, GENERATION, 1_000)
  await expect.poll(() => begun).toBe(1)
  let isClosed = false
  const closed = upkeep.close().then(() => {
    isClosed = true
  })
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  held.resolve()
  await closed
})

function throwError(error: unknown): never {
  throw error
}
