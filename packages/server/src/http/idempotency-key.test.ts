// An Idempotency-Key is 1 to 255 visible ASCII characters, given once; anything else is refused.
import { expect, test } from 'vitest'
import { ApiError } from '../contract/errors.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'

const keyOf = (value: string | string[] | undefined) =>
  idempotencyKeyOf({ headers: { 'idempotency-key': value } })

test('a request without the header has no key', () => {
  expect(idempotencyKeyOf({ headers: {} })).toBeUndefined()
})

test('every visible ASCII character may be in a key', () => {
  const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) =>
    String.fromCharCode(0x21 + index),
  ).join('')
  expect(keyOf(visible)).toBe(visible)
})

test('a key has 1 to 255 characters', () => {
  expect(keyOf('a')).toBe('a')
  expect(keyOf('a'.repeat(255))).toBe('a'.repeat(255))
  expect(() => keyOf('')).toThrow(ApiError)
  expect(() => keyOf('a'.repeat(256))).toThrow(ApiError)
})

test('spaces, control characters and everything beyond ASCII are refused', () => {
  for (const value of ['a b', 'a\tb', 'a\u007f', 'schlüssel', 'a\n']) {
    expect(() => keyOf(value), JSON.stringify(value)).toThrow(ApiError)
  }
})

test('two keys are refused, and the error names the header', () => {
  // Node joins two headers of this name with a comma and a space.
  for (const value of ['a, a', ['a', 'a']]) {
    try {
      keyOf(value)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { field: 'Idempotency-Key' },
      })
    }
  }
})
