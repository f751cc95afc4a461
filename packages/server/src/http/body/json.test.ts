// parseJson reads what JSON.parse reads and refuses what that refuses, but never takes a number that is too
// small for a double for zero. JSON.parse stands beside it, for any text.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseJson, readJson } from './json.ts'

test.each([
  '1e-400',
  '-1e-400',
  '9e-400',
  '1E-0999',
  '2e-324',
  `0.${'0'.repeat(400)}1`,
  `0.${'0'.repeat(224)}1e-99`,
  '1e400',
])('%s, which no double can hold, is not taken for another number', (text) => {
  expect(Number.isFinite(parseJson(text))).toBe(false)
  expect(parseJson(`{"deep": [${text}]}`)).not.toEqual({ deep: [0] })
})

test.each([
  '0',
  '-0',
  '0e-400',
  '0.0e-999',
  `0.${'0'.repeat(400)}`,
  '5e-324',
  '"1e-400"',
  '1.5e-300',
])('%s is what it says', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('whatever JSON can say is read as JSON.parse reads it, beside a number that is too small', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
      expect(parseJson(`[${text}, 1e-400, ${text}]`)).toEqual([
        JSON.parse(text),
        Number.POSITIVE_INFINITY,
        JSON.parse(text),
      ])
    }),
  )
})

test.each(['01e-400', '1.e-400', '-.1e-400', '1e-400-', '--1e-400'])(
  '%s is no number, however small',
  (text) => expect(() => parseJson(`[${text}]`)).toThrow(SyntaxError),
)

test('bytes that are not UTF-8 are refused instead of being repaired', () => {
  const read = () => readJson(Buffer.from([0x22, 0xff, 0x22]), 'The body')
  expect(read).toThrow('The body is not valid UTF-8.')
})

test('a byte order mark in front is no part of the text', () => {
  expect(readJson(Buffer.from('\ufeff{"a":"\ufeff"}'), 'The body')).toEqual({ a: '\ufeff' })
})

test('no text whatsoever is read that JSON.parse refuses', () => {
  const pieces = fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '1e-400',
    '0',
    '.',
    '-',
    ' ',
    'é',
  )
  fc.assert(
    fc.property(fc.array(pieces), (some) => {
      const text = some.join('')
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      if (isJson) parseJson(text)
      else expect(() => parseJson(text)).toThrow(SyntaxError)
    }),
  )
})

test('strings that look like numbers stay what they are, behind any number of backslashes', () => {
  const texts = ['1e-400', '\\', '\\\\', '\\" 1e-400', 'a"1e-400']
  expect(parseJson(JSON.stringify(texts))).toEqual(texts)
})

test('numbers that cannot be too small are told by their signs, however many a body has', () => {
  const numbers = `[${'0,1.5,1e-9,-123456.789,'.repeat(1_000)}0]`
  const matches = vi.spyOn(RegExp.prototype, 'exec')
  try {
    parseJson(numbers)
    // No more than one for each that has six signs.
    expect(matches.mock.calls.length).toBeLessThanOrEqual(1_000)
  } finally {
    matches.mockRestore()
  }
})
