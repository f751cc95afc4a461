// Weighing asks a space for no more than what it says beforehand, so that a store can look all of it up at
// once, and a long query of unknown words costs as much as one of sixteen.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termOf } from '../storage/conformance/records.ts'
import { candidatesForMissing, termsToCount, weighTerms } from './weighing.ts'

const CANDIDATES_OF_A_WORD_MAX = 54 * 24 + 25
const none = () => 0

const unknownTerm = (term: string) => termOf(term, { isKnown: false })

/** All different. */
const unknown = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    unknownTerm(
      `xq${number.toString(4).replaceAll(/\d/g, (digit) => 'bcdf'.charAt(Number(digit)))}zz`,
    ),
  )

test('a word that nobody wrote stands for the one that it was meant to be', () => {
  const written = (term: string) => (term === 'xqbbzz' ? 3 : 0)
  const [meant, other] = weighTerms([unknownTerm('xqbzz'), unknownTerm('qqqqq')], 10, written)
  expect(meant?.forms).toEqual(['xqbzz', 'xqbbzz'])
  expect(other?.forms).toEqual(['qqqqq'])
})

test('a word that somebody wrote, or that the language has, stands for itself alone', () => {
  const written = (term: string) => (term === 'xqbzz' || term === 'xqbbzz' ? 3 : 0)
  const terms = [unknownTerm('xqbzz'), termOf('xqbbz', { isKnown: true })]
  expect(weighTerms(terms, 10, written).map(({ forms }) => forms)).toEqual([['xqbzz'], ['xqbbz']])
  expect(candidatesForMissing(terms, written)).toEqual([])
})

test('a query of a thousand such words asks for no more than one of sixteen', () => {
  const candidates = candidatesForMissing(unknown(1_000), none)
  expect(candidates.length).toBeGreaterThan(1_000)
  expect(candidates.length).toBeLessThanOrEqual(16 * CANDIDATES_OF_A_WORD_MAX)
  expect(candidates).toEqual(candidatesForMissing(unknown(16), none))
})

test('what was not asked for is not taken for a correction either', () => {
  const terms = unknown(20)
  const asked = new Set(candidatesForMissing(terms, none))
  const isTerm = new Set(terms.map(({ term }) => term))
  const taken: string[] = []
  weighTerms(terms, 10, (term) => {
    if (!isTerm.has(term) && !term.startsWith('^')) taken.push(term)
    return 0
  })
  expect(taken.length).toBeGreaterThan(1_000)
  expect(taken.filter((term) => !asked.has(term))).toEqual([])
})

test('what was to be counted is all that is asked for, when no word is missing', () => {
  const word = fc.stringMatching(/^[a-c]{1,3}$/)
  const term = fc
    .record({ word, alternatives: fc.array(word, { maxLength: 3 }), isKnown: fc.boolean() })
    .map(({ word: each, ...fields }) => termOf(each, fields))
  fc.assert(
    fc.property(fc.array(term, { minLength: 1 }), (terms) => {
      const asked = new Set<string>()
      weighTerms(terms, 10, (each) => {
        asked.add(each)
        return 1
      })
      expect(new Set(termsToCount(terms))).toEqual(asked)
    }),
  )
})

test('what most memories write with a capital is a name, but for a title', () => {
  const weighed = weighTerms([termOf('lee'), termOf('mr')], 10, () => 1)
  expect(weighed.map(({ isName }) => isName)).toEqual([true, false])
})

test('whom a query addresses counts where the space knows the name, and is left out elsewhere', () => {
  const asked = [termOf('paint'), termOf('mel', { isAddressed: true, isKnown: false })]
  const wordsIn = (written: readonly string[]) =>
    weighTerms(asked, 10, (term) => Number(written.includes(term))).map(({ word }) => word)
  expect(wordsIn(['paint', 'mel', '^mel'])).toEqual(['paint', 'mel'])
  expect(wordsIn(['paint', 'mel'])).toEqual(['paint'])
  expect(wordsIn(['paint'])).toEqual(['paint'])
  const candidates = candidatesForMissing(asked, none)
  expect(candidates).toEqual(candidatesForMissing(asked.slice(0, 1), none))
})

test('of what is asked for by its code, the code is the only name', () => {
  const terms = [
    termOf('jira', { isName: true }),
    termOf('anna'),
    termOf('jira513', { isCode: true }),
  ]
  const weighed = weighTerms(terms, 10, () => 1)
  expect(weighed.map(({ isName }) => isName)).toEqual([false, false, true])
  const without = weighTerms(terms.slice(0, 2), 10, () => 1)
  expect(without.map(({ isName }) => isName)).toEqual([true, true])
})

test('the day that a question asks for is its name, unless it asks for somebody, or nothing is known of the day', () => {
  const day = [
    termOf('3', { day: 'part' }),
    termOf('decemb', { day: 'part' }),
    termOf('@12-03', { day: 'whole', alternatives: ['20261203'] }),
  ]
  const weighed = (asked: typeof day, written: string[]) =>
    weighTerms(asked, 10, (term) => Number(written.includes(term))).map(({ word, isName }) => [
      word,
      isName,
    ])
  const appointment = termOf('appoint')
  const anna = termOf('anna')
  expect(weighed([appointment, ...day], ['20261203'])).toEqual([
    ['appoint', false],
    ['@12-03', true],
  ])
  const byWords = [
    ['3', false],
    ['decemb', false],
  ]
  expect(weighed([appointment, ...day], ['decemb'])).toEqual([['appoint', false], ...byWords])
  expect(weighed([anna, ...day], ['20261203', 'anna', '^anna'])).toEqual([
    ['anna', true],
    ...byWords,
  ])
})
