// A key that was mistyped, cut or wrapped is told from a real one without asking a store.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApiKey, hashApiKey, isApiKey } from './api-key.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key has its prefix and 49 letters and digits, and is its own', () => {
  const keys = Array.from({ length: 200 }, createApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^mng_[0-9A-Za-z]{49}$/)
    expect(isApiKey(key)).toBe(true)
  }
  expect(new Set(keys).size).toBe(keys.length)
})

test('every change of a single character is caught', () => {
  const key = createApiKey()
  for (let position = 0; position < key.length; position += 1) {
    for (const character of `${ALPHABET}_-. é`) {
      if (character === key[position]) continue
      const changed = key.slice(0, position) + character + key.slice(position + 1)
      expect(isApiKey(changed), changed).toBe(false)
    }
  }
})

test('swapped neighbours are caught', () => {
  const key = createApiKey()
  for (let position = 4; position + 1 < key.length; position += 1) {
    const [a = '', b = ''] = key.slice(position, position + 2)
    if (a === b) continue
    expect(isApiKey(key.slice(0, position) + b + a + key.slice(position + 2))).toBe(false)
  }
})

test('a key that is cut, extended or wrapped is none', () => {
  const key = createApiKey()
  for (const text of [
    '',
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    `${key} `,
  ]) {
    expect(isApiKey(text), JSON.stringify(text)).toBe(false)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isApiKey(text)))
})

test('only the SHA-256 is kept, the same for the same key', () => {
  expect(hashApiKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
