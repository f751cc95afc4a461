// A query is read back as URLSearchParams wrote it; what is broken in it equals no text, and
// nothing makes the parser fail.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseQuery } from './query-parser.ts'

test('what URLSearchParams writes is read back exactly', () => {
  const pairs = fc.uniqueArray(
    fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
    { selector: ([name]) => name },
  )
  fc.assert(
    fc.property(pairs, (given) => {
      // An empty pair is written as "=", which names the empty parameter.
      expect(Object.entries(parseQuery(new URLSearchParams(given).toString())).sort()).toEqual(
        given.toSorted(),
      )
    }),
  )
})

test('a parameter that is given twice becomes a list, also when its name is encoded', () => {
  expect({ ...parseQuery('a=1&a=2&a=3') }).toEqual({ a: ['1', '2', '3'] })
  expect({ ...parseQuery('a=1&%61=2') }).toEqual({ a: ['1', '2'] })
})

test('as many as an address has room for come in their order', () => {
  const given = Array.from({ length: 7_900 }, (_, place) => String(place % 10))
  expect(parseQuery(given.map((value) => `a=${value}`).join('&'))).toEqual({ a: given })
})

test('a parameter without a value is empty, and an empty pair is nothing', () => {
  expect({ ...parseQuery('a&b=&&') }).toEqual({ a: '', b: '' })
  expect({ ...parseQuery('') }).toEqual({})
})

test('everything behind the first equals sign is the value', () => {
  expect({ ...parseQuery('a=b=c%3Dd') }).toEqual({ a: 'b=c=d' })
})

test('a plus stands for a space, and an encoded plus for itself', () => {
  expect({ ...parseQuery('a+b=c+d%2Be') }).toEqual({ 'a b': 'c d+e' })
})

test('a value that is not UTF-8 becomes one that no text can equal', () => {
  for (const broken of ['%ff', '%zz', '%', '%e2%82', 'ok=%ff']) {
    expect(parseQuery(`a=${broken}`)['a']).toContain('\ud800')
  }
})

test('what is broken is told without an error thrown for each', () => {
  const decoded = vi.spyOn(globalThis, 'decodeURIComponent')
  try {
    parseQuery('%C3&%=%zz&%e2%82=%ed%a0%80&%f4%90%80%80&'.repeat(100))
    expect(decoded.mock.results.filter(({ type }) => type === 'throw').length).toBe(0)
  } finally {
    decoded.mockRestore()
  }
})

test('every character is read back from its bytes, and no other bytes stand for one', () => {
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 5 })
  const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
  fc.assert(
    fc.property(
      fc.oneof(
        bytes.map((some) => Buffer.from(some)),
        character.map((one) => Buffer.from(one)),
      ),
      (some) => {
        const isText = Buffer.from(some.toString()).equals(some)
        const written = [...some].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        expect(parseQuery(`a=${written}`)['a']).toBe(isText ? some.toString() : '\ud800')
      },
    ),
    { numRuns: 500 },
  )
})

test('names that every object has are parameters like any other', () => {
  const parameters = parseQuery('__proto__=1&constructor=2&toString=3')
  expect(Object.entries(parameters)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['toString', '3'],
  ])
  expect(parseQuery('a=1')['constructor']).toBeUndefined()
})

test('no text whatsoever makes the parser fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseQuery(text)
    }),
  )
})
