import { expect, test } from 'vitest'
import { lanes, score } from './score-scale.tsx'

test('dots far apart share a lane, near ones are stacked, and the order stays', () => {
  expect(lanes([0.9, 0.5, 0.505, 0.1])).toEqual([
    { at: 0.9, lane: 0 },
    { at: 0.5, lane: 0 },
    { at: 0.505, lane: 1 },
    { at: 0.1, lane: 0 },
  ])
})

test('a hundred equal scores stay inside the scale', () => {
  const used = new Set(lanes(Array(100).fill(0.3)).map(({ lane }) => lane))
  expect([...used].sort()).toEqual([0, 1, 2, 3, 4])
})

test.each([
  [0, '0.00'],
  [0.29, '0.29'],
  [0.4999, '0.49'],
  [0.5, '0.50'],
  [0.9999, '0.99'],
  [1, '1.00'],
])('a score of %d is told as %s: never as more than it is', (value, told) => {
  expect(score(value)).toBe(told)
})
