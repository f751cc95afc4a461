import { expect, test } from 'vitest'
import { climb } from './coordinate-search.ts'

test('the climb ends at the top of a hill, in whole hundredths', () => {
  const hill = ({ a = 0, b = 0 }) => -100 * ((a - 0.433) ** 2 + (b - 0.168) ** 2)
  expect(climb({ a: 0.2, b: 0.3 }, hill)).toEqual({ a: 0.43, b: 0.17 })
})

test('a weight never becomes negative', () => {
  expect(climb({ a: 0.05 }, ({ a = 0 }) => -a)).toEqual({ a: 0 })
})

test('a weight that changes nothing stays where it is', () => {
  expect(climb({ a: 0.2 }, () => 1)).toEqual({ a: 0.2 })
})
