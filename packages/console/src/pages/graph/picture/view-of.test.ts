import { expect, test } from 'vitest'
import { viewOf } from './view-of.ts'

const SIZE = { width: 1_000, height: 500 }
const box = (left: number, top: number, right: number, bottom: number) => [
  { x: left, y: top },
  { x: right, y: bottom },
]

test('a small part is looked at from nearby, and not from too near', () => {
  expect(viewOf(box(100, 100, 325, 200), SIZE, 50, 1)).toEqual({
    ...{ middle: { x: 212.5, y: 150 }, ratio: 0.25 },
  })
  expect(viewOf(box(100, 100, 100, 100), SIZE, 50, 1)?.ratio).toBe(0.2)
})

test('what is seen well is left as it is', () => {
  expect(viewOf(box(50, 50, 900, 400), SIZE, 50, 1)).toBeUndefined()
  expect(viewOf(box(450, 200, 550, 300), SIZE, 50, 0.1)).toBeUndefined()
  expect(viewOf([], SIZE, 50, 1)).toBeUndefined()
})

test('what lies outside is gone to, from no further than the whole', () => {
  expect(viewOf(box(1_200, 100, 1_300, 200), SIZE, 50, 0.5)?.middle).toEqual({ x: 1_250, y: 150 })
  expect(viewOf(box(-9_000, 0, 9_000, 100), SIZE, 50, 0.5)?.ratio).toBe(1)
})
