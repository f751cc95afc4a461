import { expect, test } from 'vitest'
import { mixedVector } from './clustered.ts'
import { generator, normal } from './random.ts'

const unit = (seed: number): Float32Array => {
  const random = generator(seed)
  const vector = Float32Array.from({ length: 384 }, () => normal(random))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0)

test('a mixed vector has unit length and is the same for the same numbers', () => {
  const [first, second] = [unit(1), unit(2)]
  const vector = mixedVector(first, second, 0.3, 12_345)
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  expect(mixedVector(first, second, 0.3, 12_345)).toEqual(vector)
  expect(mixedVector(first, second, 0.3, 12_346)).not.toEqual(vector)
})

test('it lies nearer to what it has more of, and far from anything else', () => {
  const [first, second, other] = [unit(1), unit(2), unit(3)]
  const vector = mixedVector(first, second, 0.3, 7)
  expect(dot(vector, first)).toBeGreaterThan(0.8)
  expect(dot(vector, second)).toBeGreaterThan(0.3)
  expect(dot(vector, second)).toBeLessThan(dot(vector, first))
  expect(Math.abs(dot(vector, other))).toBeLessThan(0.2)
})

test('noise alone moves a vector a little, and differently each time', () => {
  const first = unit(1)
  const [a, b] = [mixedVector(first, first, 0, 1_000), mixedVector(first, first, 0, 9_000)]
  expect(dot(a, first)).toBeGreaterThan(0.98)
  expect(dot(a, b)).toBeLessThan(0.9999)
})
