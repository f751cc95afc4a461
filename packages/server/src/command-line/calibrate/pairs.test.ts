// Pairs are read as people write them, as CSV or JSON lines. What is wrong is told by its place
// alone: the texts may be private.
import { describe, expect, test } from 'vitest'
import { UsageFailure } from '../failure.ts'
import { parsePairs } from './pairs.ts'

const json = (...lines: unknown[]): string => lines.map((line) => JSON.stringify(line)).join('\n')

describe('pairs', () => {
  test('are read from CSV with quotes, commas, line breaks, blank lines and Windows line ends', () => {
    const text = '\ufeffmole,vole,4.2\r\n"a, b","he said ""x""\nand left",0\r\n\r\nc,d, 5 '
    expect(parsePairs(text)).toEqual([
      { a: 'mole', b: 'vole', rating: 4.2 },
      { a: 'a, b', b: 'he said "x"\nand left', rating: 0 },
      { a: 'c', b: 'd', rating: 5 },
    ])
  })

  test('are read from JSON lines, rated or only related or not', () => {
    const text = json(
      { a: 'mole', b: 'vole', rating: 2.5 },
      { a: 'c', b: 'd', related: true },
      { a: 'e', b: 'f', related: false },
    )
    expect(parsePairs(`${text}\n\n`)).toEqual([
      { a: 'mole', b: 'vole', rating: 2.5 },
      { a: 'c', b: 'd', rating: 5 },
      { a: 'e', b: 'f', rating: 0 },
    ])
  })

  test.each([
    ['a,b,1\nmole,vole', 'Row 2'],
    ['mole,vole,three', 'Row 1'],
    ['mole,vole,', 'Row 1'],
    ['mole,vole,5.1', 'Row 1'],
    ['mole,vole,-1', 'Row 1'],
    [',vole,1', 'Row 1'],
    ['mole,vole,1,more', 'Row 1'],
    ['"mole,vole,1', 'quotation mark'],
    ['mo"le,vole,1', 'quotation mark'],
    [json({ a: 'mole', b: 'vole', rating: 1 }, { a: 'mole' }), 'Line 2'],
    [json({ a: 'mole', b: 'vole', rating: 6 }), 'Line 1'],
    [json({ a: 'mole', b: 'vole' }), 'Line 1'],
    [json({ a: 'mole', b: 'vole', related: true, rating: null }), 'Line 1'],
    [json({ a: 'mole', b: 'vole', related: false, rating: 6 }), 'Line 1'],
    ['{"a": "mole", "b"', 'Line 1'],
  ])('as in %j are refused by their place, without their texts', (text, place) => {
    expect(() => parsePairs(text)).toThrow(UsageFailure)
    expect(() => parsePairs(text)).toThrow(place)
    expect(() => parsePairs(text)).not.toThrow(/mole|vole/)
  })

  test('with a quotation mark that is not closed are refused however many they are', () => {
    const text = `"mole,vole,1\n${'a mole,a vole,3\n'.repeat(600_000)}`
    expect(() => parsePairs(text)).toThrow('quotation mark')
  })
})
