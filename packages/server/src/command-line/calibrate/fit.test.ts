// The means of related and of unrelated pairs come to lie where the bundled model has them, or the fit is
// refused: from too few pairs, or pairs that show no difference, nothing can be fitted.
import { describe, expect, test } from 'vitest'
import { UsageFailure } from '../failure.ts'
import { fitCosineScale, type RatedCosine } from './fit.ts'

/** As many pairs of a rating, spread evenly around a mean. */
const around = (mean: number, rating: number, count = 20, width = 0.1): RatedCosine[] =>
  Array.from({ length: count }, (_, index) => ({
    cosine: mean + width * (index / (count - 1) - 0.5),
    rating,
  }))

describe('the fit', () => {
  test('leaves a model alone that has the cosines of the bundled one', () => {
    const pairs = [...around(0.91, 4), ...around(0.544, 1)]
    expect(fitCosineScale(pairs)).toEqual({ scale: 1, offset: 0 })
  })

  test.each([
    [0.9, 0.74],
    [0.86, 0.26],
    [0.2, -0.3],
  ])('carries means of %f and %f to those of the bundled model', (related, unrelated) => {
    const pairs = [...around(related, 4.5), ...around(unrelated, 0)]
    const { scale, offset } = fitCosineScale(pairs)
    expect(scale * related + offset).toBeCloseTo(0.91, 3)
    expect(scale * unrelated + offset).toBeCloseTo(0.544, 3)
  })

  test('does not look at pairs in between', () => {
    const pairs = [...around(0.9, 4), ...around(0.7, 1)]
    const between = [...around(0.1, 3.9), ...around(1, 1.1)]
    expect(fitCosineScale([...between, ...pairs])).toEqual(fitCosineScale(pairs))
  })

  test.each([
    ['too few related pairs', [...around(0.9, 5, 19), ...around(0.5, 0)], '19 and 20'],
    ['too few unrelated pairs', [...around(0.9, 5), ...around(0.5, 0, 19)], '20 and 19'],
    ['pairs of one kind', around(0.9, 5, 100), '100 and 0'],
    ['no pairs', [], '0 and 0'],
    ['a model that sees no difference', [...around(0.7, 5), ...around(0.7, 0)], 'as near'],
    ['a model that hardly sees one', [...around(0.72, 5), ...around(0.7, 0)], 'as near'],
    ['a model that sees the opposite', [...around(0.5, 5), ...around(0.9, 0)], 'as near'],
    [
      'a model that gives one vector for everything',
      [...around(1, 5, 20, 0), ...around(1, 0, 20, 0)],
      'as near',
    ],
  ])('refuses %s', (_, pairs, complaint) => {
    expect(() => fitCosineScale(pairs)).toThrow(UsageFailure)
    expect(() => fitCosineScale(pairs)).toThrow(complaint)
  })
})
