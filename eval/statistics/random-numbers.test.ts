import { expect, test } from 'vitest'
import { mean } from './metrics.ts'
import { randomNumbers } from './random-numbers.ts'

test('random numbers lie from 0 to below 1 and fill the range', () => {
  const random = randomNumbers(7)
  const numbers = Array.from({ length: 10_000 }, random)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  expect(mean(numbers)).toBeCloseTo(0.5, 1.7)
})
