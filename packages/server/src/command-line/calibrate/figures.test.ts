import { expect, test } from 'vitest'
import { figuresOf } from './figures.ts'

test('counts what is found of related and unrelated pairs, and leaves those between out', () => {
  const pairs = [
    { score: 0.9, rating: 5 },
    { score: 0.5, rating: 4 },
    { score: 0.4999, rating: 4 },
    { score: 1, rating: 3 },
    { score: 0.6, rating: 1 },
    { score: 0.1, rating: 0 },
  ]
  expect(figuresOf(pairs, 0.5)).toMatchObject({
    pairs: 6,
    relatedFound: 2 / 3,
    unrelatedFound: 1 / 2,
  })
})

test.each([
  ['of the same order', [1, 2, 3, 4], [0.1, 0.2, 0.7, 0.9], 1],
  ['of the opposite order', [1, 2, 3, 4], [0.9, 0.7, 0.2, 0.1], -1],
  // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: 4.5 over the root of 4.5 times 5.
  ['with ties', [1, 2, 2, 4], [0.1, 0.2, 0.3, 0.4], 4.5 / Math.sqrt(22.5)],
])('agrees with ratings %s as far as the order goes', (_, ratings, scores, expected) => {
  const pairs = ratings.map((rating, index) => ({ rating, score: scores[index] ?? 0 }))
  expect(figuresOf(pairs, 0.5).spearman).toBeCloseTo(expected, 10)
})
