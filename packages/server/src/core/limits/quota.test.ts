// Exactly as many operations succeed as the limit says, and nobody is refused while a unit can still come
// back. They begin, fail and end in arbitrary order, or when the case says so.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import type { KeyMonth } from '../../storage/records.ts'
import type { UsageStore } from '../../storage/store.ts'
import { setClock } from '../../testing/set-clock.ts'
import type { Caller } from '../keys.ts'
import { Quota, SpaceMonth } from './quota.ts'

const RESET_AT = Date.UTC(2026, 11, 1)

const newMonth = (used = 0): SpaceMonth =>
  new SpaceMonth({ month: '2026-11', resetAtMs: RESET_AT, used })

const outcomeOf = (reason: unknown): string =>
  reason instanceof ApiError ? reason.code : String(reason)

const done = async (): Promise<string> => 'done'

/** What the operation ends with, or is refused with. */
const outcomeIn = (
  month: SpaceMonth,
  limit: number | undefined,
  work: () => Promise<string>,
): Promise<string> => month.spend(limit, work).then(({ result }) => result, outcomeOf)

/** An operation that ends when the test says so. */
function pending() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let hasStarted = false
  const work = (): Promise<string> => {
    hasStarted = true
    return promise
  }
  return {
    work,
    succeed: () => resolve('done'),
    fail: () => reject('failed'),
    started: () => hasStarted,
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a month of a key', () => {
  test('exactly as many succeed as the limit says, whatever fails, begins late and ends first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(12),
        fc.nat(15),
        fc.array(fc.record({ startsAt: fc.nat(6), fails: fc.boolean(), takes: fc.nat(6) }), {
          maxLength: 40,
        }),
        async (settled, limit, operations) => {
          const month = newMonth(settled)
          const ended = operations.map(async ({ startsAt, fails, takes }) => {
            await turns(startsAt)
            const work = async () => {
              await turns(takes)
              if (fails) throw 'failed'
              return 'done'
            }
            return month.spend(limit, work).then(({ used }) => used, outcomeOf)
          })
          const outcomes = await Promise.all(ended)
          const told = outcomes.filter((outcome) => typeof outcome === 'number')
          const succeeding = operations.filter(({ fails }) => !fails).length
          const room = Math.max(0, limit - settled)
          expect(told).toHaveLength(Math.min(room, succeeding))
          expect(month.used).toBe(settled + told.length)
          // Each is told a number of its own, and none is left out.
          expect(told.toSorted((one, other) => one - other)).toEqual(
            told.map((_, place) => settled + place + 1),
          )
          // Nobody is refused while there is room in the end.
          if (month.used < limit) expect(outcomes).not.toContain('QUOTA_EXCEEDED')
        },
      ),
    )
  })

  test('whoever finds the last unit reserved waits, and gets it when its holder fails', async () => {
    const month = newMonth()
    const [holder, second, third] = [pending(), pending(), pending()]
    const first = outcomeIn(month, 1, holder.work)
    const waiting = [outcomeIn(month, 1, second.work), outcomeIn(month, 1, third.work)]
    await settle()
    expect([second.started(), third.started()]).toEqual([false, false])
    holder.fail()
    expect(await first).toBe('failed')
    await settle()
    // In the order of arrival.
    expect([second.started(), third.started()]).toEqual([true, false])
    second.succeed()
    expect(await Promise.all(waiting)).toEqual(['done', 'QUOTA_EXCEEDED'])
    expect(third.started()).toBe(false)
  })

  test('the unit of an operation that failed is there for whoever comes later', async () => {
    const month = newMonth()
    const holder = pending()
    holder.fail()
    await expect(month.spend(1, holder.work)).rejects.toBe('failed')
    const later = pending()
    const spent = outcomeIn(month, 1, later.work)
    await settle()
    expect(later.started()).toBe(true)
    later.succeed()
    expect(await spent).toBe('done')
  })

  test('a newcomer does not overtake those who wait', async () => {
    const month = newMonth()
    const [holder, waiting] = [pending(), pending()]
    const outcomes = [outcomeIn(month, 1, holder.work), outcomeIn(month, 1, waiting.work)]
    holder.fail()
    await settle()
    outcomes.push(outcomeIn(month, 1, done))
    waiting.succeed()
    expect(await Promise.all(outcomes)).toEqual(['failed', 'done', 'QUOTA_EXCEEDED'])
  })

  test.each([
    ['succeeds', 50, ['done', 'QUOTA_EXCEEDED']],
    ['fails', 50, ['failed', 'done']],
    ['succeeds', undefined, ['done', 'QUOTA_EXCEEDED']],
  ] as const)(
    'whoever waits hears of it when the holder %s whose limit was %s before the key was changed',
    async (end, before, outcomes) => {
      const month = newMonth(9)
      const holder = pending()
      const begun = outcomeIn(month, before, holder.work)
      const waiting = outcomeIn(month, 10, done)
      await settle()
      if (end === 'succeeds') holder.succeed()
      else holder.fail()
      expect(await Promise.all([begun, waiting])).toEqual(outcomes)
    },
  )

  test('nobody gets a unit that is beyond the own limit, though one of a larger one has failed', async () => {
    const month = newMonth(9)
    const [first, second] = [pending(), pending()]
    const begun = [first, second].map(({ work }) => outcomeIn(month, 50, work))
    const waiting = outcomeIn(month, 10, done)
    await settle()
    first.succeed()
    second.fail()
    expect(await Promise.all([...begun, waiting])).toEqual(['done', 'failed', 'QUOTA_EXCEEDED'])
    expect(month.used).toBe(10)
  })

  test('the refusal tells the usage, the limit and the reset, and runs nothing', async () => {
    const last = pending()
    const refusal = newMonth(1_000).spend(1_000, last.work)
    await expect(refusal).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 403,
      fields: { currentUsage: 1_000, limit: 1_000, resetAt: '2026-12-01T00:00:00.000Z' },
    })
    expect(last.started()).toBe(false)
  })

  test('without a limit nothing is refused and everything is counted', async () => {
    const month = newMonth(5)
    await Promise.all(Array.from({ length: 100 }, () => month.spend(undefined, done)))
    expect(month.used).toBe(105)
  })
})

describe('the quota', () => {
  function setUp({ fails = 0, atMs = Date.UTC(2026, 10, 30, 23, 59, 59, 999) } = {}) {
    const reads: KeyMonth[] = []
    /** Keys of which the journal has counts that the store has not. */
    const held = new Set<string>()
    let failures = fails
    const usage: UsageStore = {
      async read(charge) {
        reads.push(charge)
        failures -= 1
        if (failures >= 0) throw new Error('away')
        return 7
      },
      add: async () => undefined,
    }
    const clock = setClock(atMs)
    const spaces: string[] = []
    const caller = (keyId: string, space = keyId): Caller => {
      if (!spaces.includes(space)) spaces.push(space)
      return {
        keyId,
        plan: 'free',
        rateLimits: { read: 1, write: 1, search: 1 },
        // No store is asked for a space here.
        spaceId: spaces.indexOf(space) as Caller['spaceId'],
        accountId: undefined,
      }
    }
    const journal = { holds: (charge: KeyMonth) => held.has(charge.keyId) }
    return { quota: new Quota(usage, journal, clock), clock, reads, caller, held }
  }

  test('requests of one key and month share a month that begins with what the store counted', async () => {
    const { quota, reads, caller } = setUp()
    const [one, two] = await Promise.all([quota.monthOf(caller('a')), quota.monthOf(caller('a'))])
    expect(one).toBe(two)
    expect(one.used).toBe(7)
    expect(reads).toEqual([{ keyId: 'a', month: '2026-11' }])
    expect(await quota.monthOf(caller('b'))).not.toBe(one)
  })

  test('a key and the one that replaces it share a month, so nothing is lost between the two', async () => {
    const { quota, caller, reads } = setUp()
    const before = await quota.monthOf(caller('old', 'space'))
    const underWay = pending()
    const spent = before.spend(9, underWay.work)
    const after = await quota.monthOf(caller('new', 'space'))
    const { used } = await after.spend(9, done)
    expect(used).toBe(8)
    const refused = outcomeIn(after, 9, done)
    underWay.succeed()
    expect((await spent).used).toBe(9)
    expect(await refused).toBe('QUOTA_EXCEEDED')
    expect(reads).toHaveLength(1)
  })

  test('with the first instant of a month begins a new one, and the old one keeps its month', async () => {
    const { quota, clock, caller } = setUp()
    const november = await quota.monthOf(caller('a'))
    clock.pass(1)
    const december = await quota.monthOf(caller('a'))
    expect(december.month).toBe('2026-12')
    expect(december.resetAtMs).toBe(Date.UTC(2027, 0, 1))
    expect([november.month, november.resetAtMs]).toEqual(['2026-11', RESET_AT])
  })

  test('a clock that is set back into the month before finds all that was counted there, and what is under way', async () => {
    const { quota, clock, caller, reads } = setUp()
    const november = await quota.monthOf(caller('a'))
    await november.spend(9, done)
    const underWay = pending()
    const spent = november.spend(9, underWay.work)
    clock.pass(1)
    const december = await quota.monthOf(caller('a'))
    clock.step(-1)
    const again = await quota.monthOf(caller('a'))
    expect(again.used).toBe(8)
    const refused = outcomeIn(again, 9, done)
    underWay.succeed()
    expect((await spent).used).toBe(9)
    expect(await refused).toBe('QUOTA_EXCEEDED')
    clock.step(1)
    expect(await quota.monthOf(caller('a'))).toBe(december)
    expect(reads).toHaveLength(2)
  })

  test('a usage that could not be read is asked for again', async () => {
    const { quota, caller } = setUp({ fails: 1 })
    await expect(quota.monthOf(caller('a'))).rejects.toThrow('away')
    expect((await quota.monthOf(caller('a'))).used).toBe(7)
  })

  test('a late failure of the old month does not take the new one away', async () => {
    const { quota, clock, caller } = setUp({ fails: 1 })
    const old = quota.monthOf(caller('a'))
    clock.pass(1)
    const current = await quota.monthOf(caller('a'))
    await expect(old).rejects.toThrow('away')
    expect(await quota.monthOf(caller('a'))).toBe(current)
  })

  test('keys that were not used for an hour take no memory, however many there were', async () => {
    const { quota, clock, caller, reads } = setUp({ atMs: Date.UTC(2026, 10, 2) })
    for (let key = 0; key < 10_000; key += 1) {
      await quota.monthOf(caller(`key_${key}`))
      if (key % 50 === 0) await quota.monthOf(caller('always used'))
      clock.pass(36_000)
    }
    expect(quota.remembered).toBeLessThanOrEqual(102)
    const before = quota.remembered
    clock.pass(3_600_001)
    await quota.monthOf(caller('always used'))
    // A few with each request: all of them at once would hold up the others.
    expect(quota.remembered).toBe(before - 4)
    expect(reads.filter(({ keyId }) => keyId === 'always used')).toHaveLength(1)
  })

  test('keys that have to be remembered keep no other one in memory', async () => {
    const { quota, clock, caller } = setUp({ atMs: Date.UTC(2026, 10, 2) })
    const operation = pending()
    const busy = Array.from({ length: 8 }, (_, number) => caller(`busy_${number}`))
    const months = await Promise.all(busy.map((each) => quota.monthOf(each)))
    const spent = Promise.all(months.map((month) => month.spend(8, operation.work)))
    for (let key = 0; key < 1_000; key += 1) {
      await quota.monthOf(caller(`key_${key}`))
      clock.pass(36_000)
    }
    expect(quota.remembered).toBeLessThanOrEqual(102 + busy.length)
    operation.succeed()
    await spent
  })

  test('a key is remembered as long as something is counted that the store does not know', async () => {
    const { quota, clock, caller, reads, held } = setUp({ atMs: Date.UTC(2026, 10, 2) })
    const month = await quota.monthOf(caller('busy'))
    const operation = pending()
    const spent = month.spend(8, operation.work)
    await quota.monthOf(caller('read'))
    await quota.monthOf(caller('read by the next key', 'read'))
    held.add('read')
    await quota.monthOf(caller('replaced', 'moved'))
    await quota.monthOf(caller('replacing', 'moved'))
    held.add('replacing')
    const anHourLater = async () => {
      clock.pass(3_600_000)
      await quota.monthOf(caller('other'))
    }
    await anHourLater()
    await anHourLater()
    expect(await quota.monthOf(caller('busy'))).toBe(month)
    await quota.monthOf(caller('read'))
    await quota.monthOf(caller('replacing', 'moved'))
    const readsOf = (keyId: string) => reads.filter((charge) => charge.keyId === keyId).length
    expect([readsOf('busy'), readsOf('read')]).toEqual([1, 1])
    expect([readsOf('replaced'), readsOf('replacing')]).toEqual([1, 0])
    operation.succeed()
    await spent
    held.clear()
    await anHourLater()
    expect(quota.remembered).toBe(1)
    expect(await quota.monthOf(caller('busy'))).not.toBe(month)
  })
})
