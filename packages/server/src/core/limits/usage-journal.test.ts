// All that is noted reaches the store once and soon, also after flushes that failed, and what is kept for it
// is bounded. Clock and timers are set: the rules are in milliseconds.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StatisticsCount } from '../../storage/console-store.ts'
import type { KeyMonth } from '../../storage/records.ts'
import type { UsageDelta, UsageStore } from '../../storage/store.ts'
import { setClock } from '../../testing/set-clock.ts'
import { UsageJournal } from './usage-journal.ts'

const NOVEMBER = { keyId: 'key_1', month: '2026-11' }
const DECEMBER = { keyId: 'key_1', month: '2026-12' }
const OTHER = { keyId: 'key_2', month: '2026-11' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function setUp({ failures = 0 } = {}) {
  const clock = setClock()
  const flushes: UsageDelta[][] = []
  const counted: StatisticsCount[] = []
  const errors: unknown[] = []
  let failuresLeft = failures
  let underWay = Promise.resolve()
  const usage: UsageStore = {
    read: async () => 0,
    async add(deltas, counts = []) {
      await underWay
      failuresLeft -= 1
      if (failuresLeft >= 0) throw new Error('away')
      flushes.push(deltas)
      counted.push(...counts)
    },
  }
  const journal = new UsageJournal(usage, clock, (error) => errors.push(error))
  const total = (of: KeyMonth): number =>
    flushes
      .flat()
      .filter((delta) => delta.keyId === of.keyId && delta.month === of.month)
      .reduce((sum, { operations }) => sum + operations, 0)
  /** The store takes its time, until the returned function is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    underWay = promise
    return resolve
  }
  /** From now on, so many times. */
  const fail = (times: number): void => {
    failuresLeft = times
  }
  return { clock, flushes, counted, errors, journal, total, hold, fail }
}

test('what is noted within 25 ms goes to the store in one piece, by key and month', async () => {
  const { journal, flushes, clock } = setUp()
  journal.note(NOVEMBER, 1)
  journal.note(NOVEMBER, 1)
  journal.note(DECEMBER, 1)
  clock.pass(5)
  journal.note(OTHER, 2)
  await vi.advanceTimersByTimeAsync(24)
  expect(flushes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  const lastUsedAt = clock.now() - 5
  expect(flushes).toEqual([
    [
      { ...NOVEMBER, operations: 2, lastUsedAt },
      { ...DECEMBER, operations: 1, lastUsedAt },
      { ...OTHER, operations: 2, lastUsedAt: clock.now() },
    ],
  ])
})

test('the time of the last use alone is written at most once a second', async () => {
  const { journal, flushes, clock } = setUp()
  journal.note(NOVEMBER, 0)
  await vi.runAllTimersAsync()
  clock.pass(999)
  journal.note(NOVEMBER, 0)
  await vi.runAllTimersAsync()
  expect(flushes.flat()).toHaveLength(1)
  clock.pass(1)
  journal.note(NOVEMBER, 0)
  await vi.runAllTimersAsync()
  expect(flushes.flat()).toHaveLength(2)
})

test('a key that is used without a break makes no other one look unused', async () => {
  const { journal, flushes, clock } = setUp()
  for (let second = 0; second < 10; second += 1) {
    journal.note(NOVEMBER, 1)
    journal.note(OTHER, 0)
    clock.pass(999)
    journal.note(NOVEMBER, 1)
    clock.pass(1)
  }
  await vi.runAllTimersAsync()
  const [other] = flushes.flat().filter(({ keyId }) => keyId === OTHER.keyId)
  expect(other?.lastUsedAt).toBe(clock.now() - 1_000)
})

test('a flush that fails loses nothing and is tried again by itself', async () => {
  const { journal, errors, total } = setUp({ failures: 2 })
  journal.note(NOVEMBER, 3)
  await vi.advanceTimersByTimeAsync(25)
  expect(errors).toHaveLength(1)
  journal.note(NOVEMBER, 1)
  journal.note(OTHER, 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([total(NOVEMBER), total(OTHER)]).toEqual([4, 1])
})

test('of failures in a row the first is told, however many there are', async () => {
  const { journal, errors, fail } = setUp({ failures: 30 })
  journal.note(NOVEMBER, 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(errors).toHaveLength(1)
  fail(1)
  journal.note(NOVEMBER, 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(errors).toHaveLength(2)
})

test('what is noted while a flush fails goes with what it could not write, at the later time', async () => {
  const { journal, flushes, clock, hold } = setUp({ failures: 1 })
  const goOn = hold()
  journal.note(NOVEMBER, 3)
  await vi.advanceTimersByTimeAsync(25)
  clock.pass(10)
  journal.note(NOVEMBER, 1)
  goOn()
  await vi.advanceTimersByTimeAsync(25)
  expect(flushes).toEqual([[{ ...NOVEMBER, operations: 4, lastUsedAt: clock.now() }]])
})

test('whoever waits for what was noted waits for a flush that runs already', async () => {
  const { journal, total, hold } = setUp()
  const goOn = hold()
  journal.note(NOVEMBER, 1)
  await vi.advanceTimersByTimeAsync(25)
  let isSettled = false
  const settled = journal.settled().then(() => {
    isSettled = true
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isSettled).toBe(false)
  goOn()
  await settled
  expect(total(NOVEMBER)).toBe(1)
})

test('closing writes what is pending, also what an earlier flush could not', async () => {
  const { journal, total } = setUp({ failures: 1 })
  journal.note(NOVEMBER, 2)
  await vi.advanceTimersByTimeAsync(25)
  journal.note(NOVEMBER, 1)
  await journal.close()
  expect(total(NOVEMBER)).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('closing ends although the store is away, and leaves no timer behind', async () => {
  const { journal, errors } = setUp({ failures: 9 })
  journal.note(NOVEMBER, 2)
  await journal.close()
  expect(errors).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('statistics go with the next flush, or by themselves after a second', async () => {
  const { journal, flushes, counted } = setUp()
  journal.count('key_1', 'memories.get')
  journal.count('key_1', 'memories.get')
  journal.count('key_1', 'error:NOT_FOUND')
  await vi.advanceTimersByTimeAsync(999)
  expect(flushes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(counted).toEqual([
    { keyId: 'key_1', day: '2026-11-21', kind: 'memories.get', count: 2 },
    { keyId: 'key_1', day: '2026-11-21', kind: 'error:NOT_FOUND', count: 1 },
  ])
  journal.count('key_1', 'memories.list')
  journal.note(NOVEMBER, 1)
  await vi.advanceTimersByTimeAsync(25)
  expect(flushes).toHaveLength(2)
  expect(counted).toHaveLength(3)
})

test('statistics of a failed flush are counted once, with the next one', async () => {
  const { journal, counted, clock } = setUp({ failures: 1 })
  journal.count('key_1', 'memories.get')
  await journal.settled()
  expect(counted).toEqual([])
  journal.count('key_1', 'memories.get')
  clock.pass(24 * 60 * 60 * 1000)
  journal.count('key_1', 'memories.get')
  await journal.settled()
  expect(counted.map(({ day, count }) => [day, count])).toEqual([
    ['2026-11-21', 2],
    ['2026-11-22', 1],
  ])
})

test('what was noted is held until the store has taken it, and not longer', async () => {
  const { journal, hold } = setUp({ failures: 1 })
  expect(journal.holds(NOVEMBER)).toBe(false)
  const goOn = hold()
  journal.note(NOVEMBER, 1)
  expect([journal.holds(NOVEMBER), journal.holds(OTHER)]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(25)
  // The store is at it.
  expect(journal.holds(NOVEMBER)).toBe(true)
  goOn()
  await vi.advanceTimersByTimeAsync(0)
  // It has failed.
  expect(journal.holds(NOVEMBER)).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(journal.holds(NOVEMBER)).toBe(false)
})

test('of the times of last uses those of the last second alone are remembered, however many keys there are', async () => {
  const { journal, clock } = setUp()
  for (let key = 0; key < 10_000; key += 1) {
    journal.note({ keyId: `key_${key}`, month: '2026-11' }, key % 2)
    clock.pass(10)
  }
  expect(journal.remembered).toBeLessThanOrEqual(100)
  clock.step(-60_000)
  journal.note(NOVEMBER, 0)
  expect(journal.remembered).toBe(1)
})
