// A window lets exactly its limit through, and whoever waits as told is served, whatever the fraction of a
// second and whoever sets the machine's clock. Time is set.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberBetween } from '../../testing/arbitrary-number.ts'
import { setClock } from '../../testing/set-clock.ts'
import { createFixedWindows } from './rate-limiter.ts'

const WINDOW_MS = 60_000

function setUp({ startMs = Date.UTC(2026, 10, 21), bucketsMax = 100 } = {}) {
  const clock = setClock(startMs)
  return { clock, limiter: createFixedWindows({ clock, windowMs: WINDOW_MS, bucketsMax }) }
}

test('a window lets exactly the limit through and counts down by one', () => {
  const { limiter } = setUp()
  const decisions = Array.from({ length: 5 }, () => limiter.hit('a', 3))
  expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false, false])
  expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
  expect(decisions.map(({ limit }) => limit)).toEqual([3, 3, 3, 3, 3])
})

test('the window begins with its first request, and a new one with the first after it', () => {
  const { limiter, clock } = setUp()
  clock.pass(30_000)
  limiter.hit('a', 1)
  clock.pass(WINDOW_MS - 1)
  expect(limiter.hit('a', 1).isAllowed).toBe(false)
  clock.pass(1)
  expect(limiter.hit('a', 1).isAllowed).toBe(true)
  clock.pass(WINDOW_MS - 1)
  expect(limiter.hit('a', 1).isAllowed).toBe(false)
})

test('a refused request neither counts nor extends the window', () => {
  const { limiter, clock } = setUp()
  limiter.hit('a', 1)
  for (let second = 1; second < 60; second += 1) {
    clock.pass(1_000)
    expect(limiter.hit('a', 1)).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 - second })
  }
  clock.pass(1_000)
  expect(limiter.hit('a', 1)).toMatchObject({ isAllowed: true, remaining: 0 })
})

test('looking does not count', () => {
  const { limiter } = setUp()
  expect(limiter.peek('a', 1)).toMatchObject({ isAllowed: true, remaining: 1 })
  expect(limiter.peek('a', 1)).toMatchObject({ isAllowed: true, remaining: 1 })
  limiter.hit('a', 1)
  expect(limiter.peek('a', 1)).toMatchObject({ isAllowed: false, remaining: 0 })
})

test('a limit that was lowered below what its window has counted leaves nothing, and not less', () => {
  const { limiter } = setUp()
  for (const limit of [3, 3, 3]) limiter.hit('a', limit)
  expect(limiter.hit('a', 2)).toMatchObject({ isAllowed: false, limit: 2, remaining: 0 })
})

test('a window that ends in the very moment of a refusal is waited for no less than a second', () => {
  const { limiter, clock } = setUp()
  limiter.hit('a', 1)
  clock.pass(WINDOW_MS - 1)
  const { monotonic } = clock
  clock.monotonic = () => {
    clock.pass(1)
    return monotonic() - 1
  }
  expect(limiter.hit('a', 1)).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 })
})

test('buckets are apart, and the least recently used one is forgotten first', () => {
  const { limiter } = setUp({ bucketsMax: 2 })
  for (const bucket of ['a', 'b', 'a', 'c']) limiter.hit(bucket, 2)
  expect(limiter.peek('a', 2).remaining).toBe(0)
  expect(limiter.peek('c', 2).remaining).toBe(1)
  expect(limiter.peek('b', 2).remaining).toBe(2)
})

test('whoever waits as told, by either number, is never refused', () => {
  fc.assert(
    fc.property(
      numberBetween(0, 5_000),
      numberBetween(0, WINDOW_MS - 1),
      fc.boolean(),
      (startMs, laterMs, byHeader) => {
        const { limiter, clock } = setUp({ startMs: Date.UTC(2026, 10, 21) + startMs })
        limiter.hit('a', 1)
        clock.pass(laterMs)
        const { isAllowed, resetAtSeconds, retryAfterSeconds } = limiter.hit('a', 1)
        expect(isAllowed).toBe(false)
        expect(retryAfterSeconds).toBeLessThanOrEqual(60)
        const untilReset = resetAtSeconds * 1000 - clock.now()
        expect(untilReset).toBeLessThanOrEqual(WINDOW_MS - laterMs + 1_002)
        clock.pass(byHeader ? untilReset : retryAfterSeconds * 1000)
        expect(limiter.hit('a', 1).isAllowed).toBe(true)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('within a window all requests are told the same second of its end', () => {
  fc.assert(
    fc.property(
      // Where a fraction of a millisecond decides which second it is.
      numberBetween(998, 1_000),
      fc.array(numberBetween(0, 900), { maxLength: 60 }),
      (startMs, pauses) => {
        const { limiter, clock } = setUp({ startMs: 1_800_000_000_000 + startMs })
        const { resetAtSeconds } = limiter.hit('a', 1)
        for (const pause of pauses) {
          clock.pass(pause)
          expect(limiter.hit('a', 1).resetAtSeconds).toBe(resetAtSeconds)
        }
      },
    ),
  )
})

test.each([-3_600_000, -900, -50, 50, 900, 3_600_000])(
  'whoever waits for the second of the end is not refused after the clock was set by %i ms',
  (step) => {
    const { limiter, clock } = setUp({ startMs: 1_800_000_000_999 })
    limiter.hit('a', 1)
    clock.step(step)
    const { resetAtSeconds } = limiter.hit('a', 1)
    clock.pass(resetAtSeconds * 1000 - clock.now())
    expect(limiter.hit('a', 1).isAllowed).toBe(true)
  },
)

test.each([-3_600_000, 3_600_000])('setting the clock by %i ms locks nobody out or in', (step) => {
  const { limiter, clock } = setUp()
  limiter.hit('a', 1)
  clock.step(step)
  const refused = limiter.hit('a', 1)
  expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 })
  // The second of the end is told by the clock as it is now.
  expect(Math.abs(refused.resetAtSeconds * 1000 - clock.now() - WINDOW_MS)).toBeLessThan(1_002)
  clock.pass(WINDOW_MS)
  expect(limiter.hit('a', 1).isAllowed).toBe(true)
})
