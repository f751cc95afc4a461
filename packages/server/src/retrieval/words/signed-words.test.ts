// C++, C# and C are three words, AT&T is one, and each is found in the ways that people write it.
import { expect, test } from 'vitest'
import { isWhollyIn, termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../query-terms.ts'

/** The words of a query that are found in a memory. */
function foundWords(query: string, memory: string): string[] {
  const there = new Set(termsOfMemory(memory))
  return termsOfQuery(query).flatMap(({ term, word, alternatives }) =>
    [term, ...alternatives].some((form) => there.has(form)) ? [word] : [],
  )
}

test.each([
  ['C++', 'Anna writes C++ at work.'],
  ['c++', 'It is built as C++17.'],
  ['C++', 'The core is C/C++ and C#/F#.'],
  ['C#', 'The core is C/C++/C#.'],
  ['C#', 'We use C#12 there.'],
  ['g++', 'It needs g++ 12.'],
  ['C++', 'Karl codes in CPP.'],
  ['cpp', 'Anna writes C++.'],
  ['csharp', 'Ben writes C#.'],
  ['F#', 'Mira likes fsharp.'],
  ['AT&T', 'The AT&T’s contract ends.'],
  ['h&m', 'Ben buys at H&M.'],
  ['AT&T', 'ATT has called.'],
  ['AT&T', 'The AT & T contract ends.'],
  ['AT&T', 'The AT&amp;T contract ends.'],
  ['AT&amp;T', 'The AT&T contract ends.'],
  ['H&M', 'Ben buys at H&M; Eva does not.'],
  ['D&D', 'They play DnD.'],
  ['C++', 'Anna writes C plus plus.'],
  ['C#', 'It is in C-sharp minor.'],
  ['rnb', 'Karl likes R&B.'],
  ['M&M', 'Mia eats no M&Ms.'],
  ['M&Ms', 'Mia eats no M&M’s.'],
  ['C♯', 'It is in C# minor.'],
  ['C#', 'It is in C♯ minor.'],
  ['F#', 'It begins with F#m7.'],
])('%s is found in %j', (query, memory) => {
  expect(foundWords(query, memory)).toHaveLength(1)
  expect(termsOfQuery(query)).toHaveLength(1)
})

test.each([
  ['C++', 'Ben writes C#, Tom C, Mira F#.'],
  ['C#', 'Anna writes C++, Tom C, Mira F#.'],
  ['C', 'Anna writes C++, Ben C#.'],
  ['C', 'See C&A and R&D.'],
  ['AT&T', 'We met at T-Mobile.'],
  ['H&M', 'H or M, and C&A.'],
  ['A&M', 'I am in Texas.'],
  ['C&D', 'The CD is new.'],
  ['HR', 'H&R does the taxes.'],
  ['A++', 'The app lists it.'],
  ['A&D', 'Ben and Anna'],
])('%s is not found in %j', (query, memory) => {
  expect(foundWords(query, memory)).toEqual([])
})

test.each([
  ['AT & T', 'The AT&T contract ends.'],
  ['AT & T', 'The AT & T contract ends.'],
  ['pb & j', 'Elsa eats PB&J.'],
  ['x & y', 'mask = x&y'],
  ['S&P 500', 'It follows the S&P500.'],
  ['S&P500', 'It follows the S & P 500.'],
  ['C sharp minor', 'It is in C# minor.'],
  ['c plus plus', 'Anna writes C++.'],
])('%s is wholly found in %j', (query, memory) => {
  expect(isWhollyIn(memory, query)).toBe(true)
})

test('two words of more than a letter stay words', () => {
  expect(foundWords('dad', 'It is from mum&dad.')).toEqual(['dad'])
  expect(foundWords('mum & dad', 'It is from mum&dad.')).toEqual(['mum', 'dad'])
})

test('the parts of links and of markup stay words', () => {
  expect(foundWords('L20', 'See src/main.c#L20 there')).toEqual(['l20'])
  expect(foundWords('main c', 'See src/main.c#L20 there')).toEqual(['main', 'c'])
  expect(foundWords('xy', 'https://x.org/?ab=1&xy=2')).toEqual(['xy'])
  expect(foundWords('y1', 'https://x.org/?q=x&y1=2')).toEqual(['y1'])
  expect(foundWords('ab lt', 'ab&lt;xy')).toEqual(['ab', 'lt'])
})

test('they are names, but for what may as well be written out', () => {
  const names = (query: string): string[] =>
    termsOfQuery(query).flatMap(({ word, isName }) => (isName ? [word] : []))
  expect(names('who writes c++ or c# at at&t')).toEqual(['c++', 'c#', 'at&t'])
  expect(names('Who works in R&D, and how long is the Q&A?')).toEqual([])
})
