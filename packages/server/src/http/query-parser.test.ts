// A query is read back as URLSearchParams wrote it; what is broken in it equals no text, and
// nothing makes the parser fail.
import fc from 'fast-check'
import { expect, test } from 'vitest'
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
