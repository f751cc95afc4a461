// The greatest values are found in whatever order they come, or it is said that some are missing. Like the
// scan, the cases offer nothing below the least value that still counts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Best } from './best.ts'

const values = fc.array(fc.integer({ min: -32_000, max: 32_000 }), { maxLength: 400 })

/** A `Best` that has seen the values in steps, each known by its place. */
function best(
  some: readonly number[],
  { count = 50, total = some.length, floor = -(2 ** 30), step = 40 } = {},
) {
  const made = new Best()
  made.begin({ count, total, floor })
  for (let from = 0; from < some.length; from += step) {
    const offered = some.slice(from, from + step).flatMap((value, at) => {
      const isMissed = value < made.least
      return isMissed ? [] : [from + at, value]
    })
    made.offer(Int32Array.from(offered), Math.min(step, some.length - from))
  }
  return made
}

const placesOf = (made: Best, first = 8): number[] =>
  [...made.batches(first)].flatMap(({ places }) => [...places])

test('the greatest values are found, however they come', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 60 }), (some, count) => {
      // Without a total none is passed over too early.
      const found = new Set(placesOf(best(some, { count, total: 0 })))
      const order = some.map((value, place) => ({ value, place })).sort((a, b) => b.value - a.value)
      const last = order[Math.min(count, order.length) - 1]?.value ?? 0
      for (const { value, place } of order) {
        if (value > last) expect(found).toContain(place)
      }
      expect(found.size).toBeGreaterThanOrEqual(Math.min(count, some.length))
    }),
  )
})

test('each is in one batch, and no later batch has a greater one than an earlier one', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), (some, first) => {
      const made = best(some, { count: 400 })
      const batches = [...made.batches(first)]
      const places = batches.flatMap((batch) => [...batch.places])
      expect(new Set(places).size).toBe(places.length)
      for (const [at, { restMax }] of batches.entries()) {
        const later = batches.slice(at + 1).flatMap((batch) => [...batch.places])
        for (const place of later) expect(some[place]).toBeLessThan(restMax)
      }
    }),
  )
})

test('of values in no order a first part tells what the rest has to reach, and few are kept in vain', () => {
  const some = Array.from(
    { length: 20_000 },
    (_, at) => (Math.imul(at + 1, 2_654_435_761) >> 16) | 0,
  )
  const made = best(some, { count: 1_000, step: 500 })
  expect(made.isShort).toBe(false)
  const last = some.toSorted((one, other) => other - one)[999] ?? 0
  const found = new Set(placesOf(made))
  expect(some.flatMap((value, place) => (value > last && !found.has(place) ? place : []))).toEqual(
    [],
  )
})

test('it says so when the first part was not like the rest, and fewer are found', () => {
  const falling = Array.from({ length: 20_000 }, (_, at) => 20_000 - at)
  const made = best(falling, { count: 1_000, step: 500 })
  expect(made.isShort).toBe(true)
  expect(placesOf(made).length).toBeLessThan(1_000)
})

test('what lies below the floor counts for nothing, whoever has raised it', () => {
  const made = best([1_000, 2_000, 3_000, 4_000], { floor: 1_500 })
  made.raise(2_500)
  expect(placesOf(made).sort()).toEqual([2, 3])
})
