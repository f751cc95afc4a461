import { expect, test } from 'vitest'
import { lanes } from './score-scale.tsx'

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
