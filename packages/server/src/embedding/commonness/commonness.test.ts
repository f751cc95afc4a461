// The compiled loop gives what the definition says, written out here, for any reference and any vector.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberBetween } from '../../testing/arbitrary-number.ts'
import { Commonness, type Reference } from './commonness.ts'

const DIMENSION = 5
const unit = (values: number[]): Float32Array => {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}
const anyVector = fc
  .array(numberBetween(-1, 1), {
    minLength: DIMENSION,
    maxLength: DIMENSION,
  })
  .map(unit)
const anyReference: fc.Arbitrary<Reference> = fc
  .array(fc.int8Array({ minLength: DIMENSION, maxLength: DIMENSION }), {
    minLength: 10,
    maxLength: 40,
  })
  .map((rows) => ({
    codes: Int8Array.from(rows.flatMap((row) => [...row])),
    scales: Float64Array.from(rows, (row) => 1 / (Math.hypot(...row) || 1)),
    dimension: DIMENSION,
  }))

describe('how common a text is', () => {
  test('is the mean of the ten highest cosines with the reference', () => {
    fc.assert(
      fc.property(anyReference, fc.array(anyVector), (reference, vectors) => {
        const commonness = new Commonness(reference)
        for (const vector of vectors) {
          const cosines = Array.from(reference.scales, (scale, row) =>
            vector.reduce(
              (sum, value, axis) =>
                sum + value * (reference.codes[row * DIMENSION + axis] ?? 0) * scale,
              0,
            ),
          )
          const highest = cosines.toSorted((one, other) => other - one).slice(0, 10)
          const mean = highest.reduce((sum, cosine) => sum + cosine, 0) / 10
          expect(commonness.of(vector)).toBeCloseTo(mean, 6)
        }
      }),
    )
  })
})
