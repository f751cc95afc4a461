import { expect, test } from 'vitest'
import { type Figure, goalText, isMet, plain } from './figure.ts'

const figure = (some: Partial<Figure>): Figure => ({
  row: 'search',
  name: 'x',
  value: 5,
  unit: 'ms',
  ...some,
})

test('a goal is met up to and with its bound', () => {
  expect(isMet(figure({ goal: { atMost: 5 } }))).toBe(true)
  expect(isMet(figure({ goal: { atMost: 4.999 } }))).toBe(false)
  expect(isMet(figure({ goal: { atLeast: 5 } }))).toBe(true)
  expect(isMet(figure({ goal: { atLeast: 5.001 } }))).toBe(false)
})

test('a late p99 misses a goal whose median is early enough', () => {
  const goal = { atMost: 6, p99Times: 3 }
  expect(isMet(figure({ p99: 15, goal }))).toBe(true)
  expect(isMet(figure({ p99: 15.1, goal }))).toBe(false)
})

test('without a goal, or without a figure, nothing is met or missed', () => {
  expect(isMet(figure({}))).toBeUndefined()
  expect(isMet(figure({ value: undefined, goal: { atMost: 1 } }))).toBeUndefined()
})

test('goals and numbers are written as people read them', () => {
  expect(goalText(figure({ goal: { atMost: 1.2, p99Times: 3 } }))).toBe('≤ 1.2 ms, p99 ≤ 3 × p50')
  expect(goalText(figure({ unit: 'a second', goal: { atLeast: 20_000 } }))).toBe(
    '≥ 20,000 a second',
  )
  expect([0.41234, 5.1234, 31.42, 20_412.4, 1].map(plain)).toEqual([
    ...['0.412', '5.12', '31.4', '20,412', '1'],
  ])
})
