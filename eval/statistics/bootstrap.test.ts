import { expect, test } from 'vitest'
import { bootstrap } from './bootstrap.ts'
import { mean } from './metrics.ts'

test('the interval of a mean is the one that statistics know, about 1.96 standard errors wide', () => {
  const values = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 0 : 1))
  const { value, low, high } = bootstrap(values, mean)
  const standardError = 0.5 / Math.sqrt(400)
  expect(value).toBe(0.5)
  expect(low).toBeCloseTo(0.5 - 1.96 * standardError, 1.9)
  expect(high).toBeCloseTo(0.5 + 1.96 * standardError, 1.9)
  expect(high - low).toBeGreaterThan(3 * standardError)
})

test('the same items give the same interval', () => {
  const values = [1, 2, 3, 4, 5]
  expect(bootstrap(values, mean)).toEqual(bootstrap(values, mean))
})

test('samples in which a figure is undefined do not spoil the interval', () => {
  const ofOnes = (items: readonly number[]): number => mean(items.filter((item) => item === 1))
  expect(bootstrap([0, 0, 0, 1], ofOnes)).toEqual({ value: 1, low: 1, high: 1 })
})
