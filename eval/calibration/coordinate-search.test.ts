import { expect, test } from 'vitest'
import { climb } from './coordinate-search.ts'

test('the climb ends at the top of a hill, in whole hundredths', () => {
  const hill = ({ a = 0, b = 0 }) => -10 * ((a - 0.43) ** 2 + (b - 0.17) ** 2)
  const { a, b } = climb({ a: 0.2, b: 0.3 }, hill)
  expect(a).toBeCloseTo(0.43, 1.7)
  expect(b).toBeCloseTo(0.17, 1.7)
})

test('a weight never becomes negative', () => {
  expect(climb({ a: 0.05 }, ({ a = 0 }) => -a)).toEqual({ a: 0 })
})

test('a weight that changes nothing stays where it is', () => {
  expect(climb({ a: 0.2 }, () => 1)).toEqual({ a: 0.2 })
})
