import { expect, test } from 'vitest'
import type { SpaceId } from '../store.ts'
import type { Transaction } from './database.ts'
import { Upkeep } from './upkeep.ts'

const SPACE = 1 as SpaceId
const GENERATION = 1

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
