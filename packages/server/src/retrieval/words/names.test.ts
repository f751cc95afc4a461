// How a text is written decides what is a name in it; no text can write the mark of one itself,
// or make the look for names slow.
import { expect, test } from 'vitest'
import { termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../query-terms.ts'
import { isKnownAsName, labelOf, namesInLabel, namesInSentences } from './names.ts'

test('a capital inside a sentence marks a name, one at its beginning does not', () => {
  expect(namesInSentences('When did Anna meet Bob in Oslo?')).toEqual(['Anna', 'Bob', 'Oslo'])
  expect(namesInSentences('Coffee is good. Tea is better.')).toEqual([])
  expect(namesInSentences('Who is Anna?')).toEqual(['Anna'])
  expect(namesInSentences('She said: Never again.')).toEqual([])
  expect(namesInSentences('After tea, Anna met “Bob” and (Cleo)')).toEqual(['Anna', 'Bob', 'Cleo'])
  expect(namesInSentences('where has The Cat gone')).toEqual(['Cat'])
})

test.each([
  ['we met (again) Anna', 'a bracket'],
  ['first tea; Anna came later', 'a semicolon'],
  ['flat 12 Anna lives there', 'a number'],
  ['the "tea" Anna made', 'a quotation'],
  ['the ‘tea’ Anna made', 'a typeset quotation'],
  ['the “tea” Anna made', 'a typeset quotation with two signs'],
  ["they say 'Anna' to her", 'the beginning of a quotation'],
  ['they say ‘Anna’ to her', 'the beginning of a typeset quotation'],
])('a capital marks a name, since its sentence goes on: %s (after %s)', (text) => {
  expect(namesInSentences(text)).toEqual(['Anna'])
})

test.each(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof', 'St'])(
  'a capital behind %s. marks a name, whose sentence does not end there',
  (title) => {
    expect(namesInSentences(`my teacher is ${title}. Okafor`)).toEqual([title, 'Okafor'])
    expect(namesInSentences(`${title}. Okafor is my teacher`)).toEqual(['Okafor'])
    expect(namesInSentences(`${title}. "Okafor" is my teacher`)).toEqual(['Okafor'])
    expect(namesInSentences(`we came first. Okafor came later`)).toEqual([])
  },
)

test('in a query a title is no name, and neither is OK', () => {
  const names = (query: string): string[] =>
    termsOfQuery(query).flatMap(({ word, isName }) => (isName ? word : []))
  expect(names('What does Mr. Lee do?')).toEqual(['lee'])
  expect(names('Did Professor Haddad ask Dr Patel?')).toEqual(['haddad', 'patel'])
  expect(names('Is it OK to call Anna?')).toEqual(['anna'])
  expect(names('Is it OK to call?')).toEqual([])
})

test.each([
  ['Who has MS?', 'ms'],
  ['Dear Doctor Lee, who has MS?', 'ms'],
  ['Where is the DR site?', 'dr'],
  ['Who watches Doctor Who?', 'doctor'],
])('in %j what is a title elsewhere is the only name, and counts as one', (query, name) => {
  expect(termsOfQuery(query).flatMap(({ word, isName }) => (isName ? word : []))).toEqual([name])
})

test('a letter by itself is no name', () => {
  expect(namesInSentences('so we went on with plan B')).toEqual([])
})

test('a name is one however its letters are composed', () => {
  const written = 'we met Ülkü, Zom\u0308bie and ᾍδης with Élan'
  for (const form of ['NFC', 'NFD']) {
    const names = namesInSentences(written.normalize(form))
    expect(names.map((name) => name.normalize('NFC'))).toEqual([
      'Ülkü',
      'Zom\u0308bie',
      'ᾍδης',
      'Élan',
    ])
  }
})

test('a text in title case or in capitals has no names', () => {
  expect(namesInSentences('The Art of Baking with Rye')).toEqual([])
  expect(namesInSentences('WHERE IS THE KEY')).toEqual([])
  expect(namesInSentences('Chapter 7 The Kettle')).toEqual([])
  expect(namesInSentences('Lisbon Spring Fair')).toEqual([])
  // Two words are no title yet.
  expect(namesInSentences('Dear Anna')).toEqual(['Anna'])
})

test('the label of a speaker is a name', () => {
  expect(namesInLabel('Anna Berg: Hello there')).toEqual(['Anna', 'Berg'])
  expect(namesInLabel('Ana Maria Lopez Garcia: Hello')).toHaveLength(4)
  expect(namesInLabel('Ana Maria Lopez Garcia Perez: Hello')).toEqual([])
  expect(namesInLabel('hello: there')).toEqual([])
  expect(namesInLabel('At ten o’clock: the meeting')).toEqual([])
})

test.each([
  'Zoë',
  'Jean-Luc',
  'O’Brien',
  "D'Arcy Lane",
  'Ana-Luz Núñez-Gil',
  'Anna B.',
  'Ken Doe Jr.',
])('a speaker may be called %s', (name) => {
  for (const form of ['NFC', 'NFD']) {
    const written = name.normalize(form)
    expect(labelOf(`${written}: Hello there`)).toBe(written)
  }
})

test('what is longer than a name is no label', () => {
  const name = `A${'n'.repeat(59)}`
  expect(namesInLabel(`${name}: Hello there`)).toEqual([name])
  expect(namesInLabel(`${name}n: Hello there`)).toEqual([])
})

test('a memory keeps its names twice: as plain terms and marked', () => {
  expect(termsOfMemory('we met Anna')).toEqual(['we', 'met', 'anna', '^anna'])
})

test('no text can write a marked term itself', () => {
  expect(termsOfMemory('^anna ^^anna').filter((term) => term.startsWith('^'))).toEqual([])
})

test('a query never has marked terms', () => {
  expect(termsOfQuery('did we meet Anna').map(({ term }) => term)).toEqual(['meet', 'anna'])
})

test('a term is known as a name when at least half of its memories write it so', () => {
  expect(isKnownAsName(4, 2)).toBe(true)
  expect(isKnownAsName(4, 1)).toBe(false)
  expect(isKnownAsName(0, 0)).toBe(false)
})

test.each(['\u2028', '\ufeff', ' '])(
  'names are found in the time of one look at the text, however much of %j is in it',
  (space) => {
    // Looked back from each place, these take minutes.
    const run = space.repeat(200_000)
    expect(namesInSentences(`annaA😀 ${run}Xenia`)).toEqual([])
    expect(namesInSentences(`anna${run}Xenia`)).toEqual(['Xenia'])
  },
)
