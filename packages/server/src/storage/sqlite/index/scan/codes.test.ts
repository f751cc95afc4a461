import fc from 'fast-check'
import { expect, test } from 'vitest'
import { float32Between } from '../../../../testing/arbitrary-number.ts'
import { encode, encodeQuery, errorOfProduct, lengthOf } from './codes.ts'

const number = fc.oneof(float32Between(-1, 1), float32Between(-1_000, 1_000), fc.constant(0))
const pair = fc
  .array(fc.tuple(number, number), { minLength: 1, maxLength: 64 })
  .map((pairs) => [0, 1].map((side) => Float32Array.from(pairs, (both) => both[side] ?? 0)))

const productOf = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0)

test('the product of codes lies no further from that of the vectors than the bound says', () => {
  fc.assert(
    fc.property(pair, ([vector = new Float32Array(0), query = new Float32Array(0)]) => {
      const codes = new Int8Array(vector.length)
      const queryCodes = new Int16Array(query.length)
      const row = { ...encode(vector, codes), length: lengthOf(vector) }
      const asked = encodeQuery(query, queryCodes)
      const product = productOf(codes, queryCodes) * row.scale * asked.scale
      const distance = Math.abs(product - productOf(vector, query))
      expect(distance).toBeLessThanOrEqual(errorOfProduct(row, asked))
    }),
    { numRuns: 1_000 },
  )
})

test('codes of greatest size never leave the 32 bits of a sum, whatever the dimension', () => {
  for (const dimension of [1, 384, 516, 517, 1_536, 8_192]) {
    const vector = new Float32Array(dimension).fill(1)
    const codes = new Int8Array(dimension)
    const queryCodes = new Int16Array(dimension)
    encode(vector, codes)
    encodeQuery(vector, queryCodes)
    const product = productOf(codes, queryCodes)
    expect(product).toBeLessThan(2 ** 31)
    expect(product, 'and use most of what there is').toBeGreaterThan(dimension * 127 * 1_000)
  }
})
