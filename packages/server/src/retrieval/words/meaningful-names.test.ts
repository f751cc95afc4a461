// Names such as Italy, Friday and Mum carry meaning as other words do, while Anna only says whose memories
// are meant: so neither a query nor a memory treats them as names.
import { expect, test } from 'vitest'
import { termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../query-terms.ts'
import { namesInSentences } from './names.ts'

const namesOfQuery = (query: string): string[] =>
  termsOfQuery(query).flatMap(({ isName, term }) => (isName ? [term] : []))

test.each([
  ['what did I leave behind in Italy', 'a country'],
  ['which hotel was it in New Zealand', 'a country of two words'],
  ['she moved to the United States', 'a country of two words, both of them common'],
  ['the summer in Türkiye', 'a country with its own letters'],
  ['upcoming trip to Asia', 'a continent'],
  ['a swim in the Atlantic', 'a sea'],
  ['a holiday in the Alps', 'mountains'],
  ['does she speak Norwegian', 'a language'],
  ['the contract with the Norwegians', 'a people'],
  ['what do we do on Saturday', 'a day'],
  ['time off over Christmas', 'a feast'],
  ['the race is in October', 'a month'],
  ['a present for Mum', 'a relative'],
  ['how much RAM does it take', 'initials'],
  ['where are the PDFs', 'initials of several'],
  ['the Wi-Fi is slow', 'a word of two parts'],
])('"%s" names nobody, since all know what it means: %s', (text) => {
  expect(namesInSentences(text)).toEqual([])
})

test.each(['Anna', 'Lisbon', 'Jordan', 'Georgia', 'Chad', 'Israel', 'Ram', 'Pin', 'Ibis'])(
  '%s is a name',
  (name) => {
    expect(namesInSentences(`we met ${name} there`)).toEqual([name])
  },
)

test('of names of several words none is taken for a part of another', () => {
  expect(namesInSentences('we met Anna of Manchester United in New York')).toEqual([
    'Anna',
    'Manchester',
    'United',
    'New',
    'York',
  ])
  expect(namesInSentences('we met Anna in Costa Rica, and Bob')).toEqual(['Anna', 'Bob'])
})

test.each([
  'we moved in June',
  'not until June',
  'during June it rained',
  'we left on the 27th of June',
  'on 3 June we left',
  'on June 3 we left',
  'from June 2023 on',
  'by June, 2023',
])('"%s" tells a month', (text) => {
  expect(namesInSentences(text)).toEqual([])
})

test.each([
  'we met June',
  'a gift for June',
  'with Robin June left',
  'we met June, Anna and 2 others',
])('"%s" tells somebody', (text) => {
  expect(namesInSentences(text)).toContain('June')
})

test('a memory does not mark them as names, so a query in small letters has none either', () => {
  expect(termsOfMemory('we went to Italy in June with Mum')).not.toContain('^itali')
  expect(
    termsOfMemory('we went to Italy in June with Anna').filter((term) => /^\^/.test(term)),
  ).toEqual(['^anna'])
})

test('who speaks is a name, whatever it means', () => {
  expect(termsOfMemory('Mum: call me back')).toContain('^mum')
})

test('of a question with both kinds only the name of somebody has to stand in the memory', () => {
  expect(namesOfQuery('When did Melanie fly to Spain in June?')).toEqual(['melani'])
})
