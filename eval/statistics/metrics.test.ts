import { expect, test } from 'vitest'
import { ndcg, percentile, recall, spearman } from './metrics.ts'

test('recall is the share of the wanted items that were found', () => {
  expect(recall(['a', 'x', 'b'], new Set(['a', 'b', 'c', 'd']))).toBe(0.5)
})

test('nDCG is 1 when every wanted item comes first, however many there are', () => {
  expect(ndcg(['a', 'b', 'x'], new Set(['b', 'a']), 10)).toBeCloseTo(1)
  expect(ndcg(['a', 'b'], new Set(['a', 'b', 'c']), 2)).toBeCloseTo(1)
})

test('nDCG falls with the place of a hit by the logarithm', () => {
  expect(ndcg(['x', 'x', 'a'], new Set(['a']), 10)).toBeCloseTo(0.5)
  expect(ndcg(['x', 'x', 'a'], new Set(['a']), 2)).toBe(0)
})

test('Spearman is 1 for the same order and -1 for the opposite one, whatever the distances', () => {
  expect(spearman([1, 2, 3, 100], [0.1, 0.2, 0.9, 0.91])).toBeCloseTo(1)
  expect(spearman([1, 2, 3], [9, 4, -1])).toBeCloseTo(-1)
})

test('equal values share the mean of their ranks in Spearman', () => {
  // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
  expect(spearman([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5))
})

test('a percentile is a value that occurs', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5)
  expect(percentile([7], 0.5)).toBe(7)
})
