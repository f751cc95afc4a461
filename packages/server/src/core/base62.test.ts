import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase62 } from './base62.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n)

test.each([
  [4, 6],
  [18, 25],
  [32, 43],
])('%i bytes are the same number in %i digits', (bytes, width) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: bytes, maxLength: bytes }), (number) => {
      const text = toBase62(number, width)
      const digits = [...text].map((digit) => BigInt(ALPHABET.indexOf(digit)))
      expect(digits).toHaveLength(width)
      expect(digits.reduce((sum, digit) => sum * 62n + digit, 0n)).toBe(numberOf(number))
    }),
  )
})

test('the least and the greatest number of 18 bytes', () => {
  expect(toBase62(new Uint8Array(18), 25)).toBe('0'.repeat(25))
  expect(toBase62(new Uint8Array(18).fill(255), 25)).toBe('28pjNsCH6744JSR6PlEQx4RcF')
})

test('texts of one width are in the order of the numbers', () => {
  const number = fc.uint8Array({ minLength: 18, maxLength: 18 })
  fc.assert(
    fc.property(number, number, fc.nat(18), (one, other, shared) => {
      other.set(one.subarray(0, shared))
      const [first, second] = [toBase62(one, 25), toBase62(other, 25)]
      expect(first < second).toBe(Buffer.compare(one, other) < 0)
    }),
  )
})
