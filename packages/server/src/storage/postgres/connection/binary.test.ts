// Numbers come back as they were sent, whatever they are and wherever in a buffer they begin. Columns are
// written here with Node's own methods, as the database sends them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDoubles, readInts8, readVector, vectorBytes } from './binary.ts'

/** As the database aggregates a column, in bytes that begin anywhere in a larger buffer. */
function column(numbers: readonly number[], size: number, write: keyof Writers): Buffer {
  const bytes = Buffer.alloc(3 + numbers.length * size).subarray(3)
  for (const [place, number] of numbers.entries()) writers[write](bytes, number, place * size)
  return bytes
}

type Writers = typeof writers
const writers = {
  int8: (bytes: Buffer, number: number, at: number) => bytes.writeBigInt64BE(BigInt(number), at),
  double: (bytes: Buffer, number: number, at: number) => bytes.writeDoubleBE(number, at),
}

test('whole numbers come back as they were sent, at any size', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      expect(readInts8(column(numbers, 8, 'int8'))).toEqual(numbers)
    }),
  )
})

test('so do doubles, those that are no number included', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), (numbers) => {
      expect([...readDoubles(column(numbers, 8, 'double'))]).toEqual(numbers)
    }),
  )
})

test('a vector that is sent comes back bit for bit', () => {
  fc.assert(
    fc.property(fc.float32Array({ maxLength: 500 }), (vector) => {
      expect(readVector(vectorBytes(vector))).toEqual(vector)
    }),
  )
})

test('a column of no rows is empty', () => {
  expect(readInts8(null)).toHaveLength(0)
  expect(readDoubles(null)).toHaveLength(0)
})
