import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { knownStem, stemOf } from './stemming.ts'

const letters = (number: number): string =>
  number.toString().replace(/\d/g, (digit) => 'abcdefghij'[+digit] ?? '')

test('words lose their endings, and what is no English word stays as it is', () => {
  const words = ['likes', 'liked', 'nurses', 'łódź', 'covid19', '東京', '']
  expect(words.map(stemOf)).toEqual(['like', 'like', 'nurs', 'łódź', 'covid19', '東京', ''])
  expect(words.map(stemOf), 'again').toEqual(words.map(stemOf))
})

test('of the texts that words were cut out of, nothing stays in memory', () => {
  const lengthOfText = 10_000
  const texts = 2_000
  collectGarbage()
  const before = getHeapStatistics().used_heap_size
  for (let number = 0; number < texts; number += 1) {
    const word = `extraordinarily${letters(number)}`
    const [cut = ''] = `${word} ${'-'.repeat(lengthOfText)}${number}`.match(/[a-z]+/) ?? []
    stemOf(cut)
  }
  collectGarbage()
  const grown = getHeapStatistics().used_heap_size - before
  expect(grown).toBeLessThan((texts * lengthOfText) / 4)
})

test('of a word and its stem little more than their letters stays in memory', () => {
  const words = 5_000
  const length = 60
  collectGarbage()
  const before = getHeapStatistics().used_heap_size
  for (let number = 0; number < words; number += 1) {
    stemOf(`${letters(100_000 + number)}${'lmnopq'.repeat(9)}`)
  }
  collectGarbage()
  const grown = getHeapStatistics().used_heap_size - before
  expect(grown).toBeLessThan(words * 2 * length * 4)
})

test('a word is forgotten behind some ten thousand others', () => {
  stemOf('remembered')
  expect(knownStem('remembered')).toBe('rememb')
  for (let number = 0; number < 30_000; number += 1) stemOf(letters(number))
  expect(knownStem('remembered')).toBeUndefined()
  expect(stemOf('remembered')).toBe('rememb')
})

test('of a word that is longer than a term nothing is kept', () => {
  const long = 'liked'.repeat(13)
  expect(stemOf(long)).toBe(long)
  expect(knownStem(long)).toBeUndefined()
})
