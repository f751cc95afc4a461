// On the questions of the measurements: which are recognized as not English, and that no English one is.
import { expect, test } from 'vitest'
import { isInOtherLanguage } from '../../packages/server/src/retrieval/other-languages.ts'
import { EVERYDAY_SETS, type EverydayPerson, everydayPeople } from '../data/everyday.ts'
import { EXACT_FACTS, queriesFor } from '../data/exact-facts.ts'
import { LATIN_LETTERS, peopleWhoWrite } from '../data/languages.ts'
import { BURIED_FACTS } from '../data/long-texts.ts'
import { QUESTIONS, UNRELATED } from '../regression/regression-set.ts'
import { shareOf } from '../statistics/metrics.ts'

const questionsOf = ({ memories, near, far }: EverydayPerson): string[] => [
  ...memories.flatMap(({ questions }) => questions),
  ...near,
  ...far,
]

test.each(LATIN_LETTERS)('in %s most questions are told from English', (language) => {
  const questions = peopleWhoWrite(language).flatMap(questionsOf)
  expect(shareOf(questions, isInOtherLanguage)).toBeGreaterThanOrEqual(0.78)
})

test('no English question is taken for one in another language', () => {
  const english = [
    ...EVERYDAY_SETS.flatMap((set) => everydayPeople(set).flatMap(questionsOf)),
    ...BURIED_FACTS.flatMap(({ sharing, otherWords }) => [sharing, otherWords]),
    ...EXACT_FACTS.flatMap(({ thing }) => queriesFor(thing)),
    ...QUESTIONS.filter(({ kind }) => kind !== 'other languages').map(({ text }) => text),
    ...UNRELATED.map(({ text }) => text),
  ]
  const inAnyCase = english.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()])
  expect(inAnyCase.filter(isInOtherLanguage)).toEqual([])
})
