import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonnessOf, type Reference } from './commonness.ts'

const DIMENSION = 5
const unit = (values: number[]): Float32Array => {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}
const anyVector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: DIMENSION,
    maxLength: DIMENSION,
  })
  .map(unit)
const anyReference: fc.Arbitrary<Reference> = fc
  .array(anyVector, { minLength: 10, maxLength: 40 })
  .map((rows) => ({
    vectors: Float32Array.from(rows.flatMap((row) => [...row])),
    dimension: DIMENSION,
  }))

describe('how common a text is', () => {
  it('is the mean of the ten highest cosines with the reference', () => {
    fc.assert(
      fc.property(anyVector, anyReference, (vector, { vectors, dimension }) => {
        const rows = vectors.length / dimension
        const cosines = Array.from({ length: rows }, (_, row) =>
          vector.reduce(
            (sum, value, axis) => sum + value * (vectors[row * dimension + axis] ?? 0),
            0,
          ),
        )
        const highest = cosines.toSorted((one, other) => other - one).slice(0, 10)
        const mean = highest.reduce((sum, cosine) => sum + cosine, 0) / 10
        expect(commonnessOf(vector, { vectors, dimension })).toBeCloseTo(mean, 5)
      }),
    )
  })
})
