// No operation is lost on its way into the chart, not even a later version's; no axis is too short.
import { expect, test } from 'vitest'
import { countsOf, isQuiet, niceCeiling, totals } from './kinds.ts'

test('a day is counted by kind, and no operation is lost', () => {
  const counts = countsOf({
    day: '2026-11-21',
    operations: {
      'memories.create': 2,
      'memories.import': 5,
      'entities.create': 1,
      'memories.search': 4,
      'later.one': 1,
    },
    rateLimited: 3,
    errors: { MEMORY_NOT_FOUND: 2, VALIDATION_ERROR: 1 },
  })
  expect(counts).toEqual({
    day: '2026-11-21',
    kinds: { create: 8, search: 4, read: 1, delete: 0 },
    total: 13,
    rateLimited: 3,
    errors: 3,
  })
})

test('a month with refusals alone is not quiet', () => {
  const day = { day: '2026-11-21', operations: {}, rateLimited: 0, errors: {} }
  expect(isQuiet([countsOf(day)])).toBe(true)
  expect(isQuiet([countsOf({ ...day, rateLimited: 1 })])).toBe(false)
  expect(isQuiet([countsOf({ ...day, errors: { QUOTA_EXCEEDED: 1 } })])).toBe(false)
})

test('totals are the largest first, without zeros', () => {
  expect(
    totals([
      { a: 1, b: 2 },
      { b: 3, c: 0 },
    ]),
  ).toEqual([
    ['b', 5],
    ['a', 1],
  ])
})

test.each([
  [0, 4],
  [4, 4],
  [5, 8],
  [7, 8],
  [9, 12],
  [10, 20],
  [11, 20],
  [50, 60],
  [99, 100],
  [100, 100],
  [410, 500],
])('the axis for %i goes to %i', (largest, ceiling) => {
  expect(niceCeiling(largest)).toBe(ceiling)
})
