// A question has the same words whether they were taken ahead or not; that saves one search the work, says
// nothing to other spaces and is bounded. How often words are taken is counted.
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { rarityInEnglish } from '../retrieval/rarity.ts'
import { expectedQueryOf, searchQueryOf } from '../retrieval/search-query.ts'
import { CALIBRATION } from './conformance/records.ts'
import { Questions } from './questions.ts'
import type { SpaceId } from './records.ts'

vi.mock(import('../retrieval/search-query.ts'), { spy: true })
beforeEach(() => void vi.mocked(expectedQueryOf).mockClear())

const [SPACE, OTHER] = [1 as SpaceId, 2 as SpaceId]
const questionOf = (text: string) => ({ text, parts: [], calibration: CALIBRATION })
const timesTaken = () => vi.mocked(expectedQueryOf).mock.calls.length

test('a question has the same words whether or not it was expected', () => {
  const questions = new Questions()
  fc.assert(
    fc.property(fc.lorem(), fc.boolean(), (text, isExpected) => {
      if (isExpected) questions.expect(SPACE, questionOf(text), 1)
      const query = searchQueryOf(text, [], rarityInEnglish(), CALIBRATION)
      expect(questions.read(SPACE, questionOf(text), 1)).toEqual(query)
    }),
  )
})

test('the words of one that was expected are not taken again, and are kept for one search', () => {
  const questions = new Questions()
  questions.expect(SPACE, questionOf('Where is the tea?'), 1)
  questions.read(SPACE, questionOf('Where is the tea?'), 1)
  expect(timesTaken()).toBe(1)
  questions.read(SPACE, questionOf('Where is the tea?'), 1)
  expect(timesTaken()).toBe(2)
})

test('what one space expects says nothing in another', () => {
  const questions = new Questions()
  questions.expect(SPACE, questionOf('Where is the tea?'), 1)
  questions.read(OTHER, questionOf('Where is the tea?'), 1)
  expect(timesTaken()).toBe(2)
})

test('what is expected of one model says nothing of another', () => {
  const questions = new Questions()
  questions.expect(SPACE, questionOf('Where is the tea?'), 1)
  const calibration = { ...CALIBRATION, commonnessTypical: 0.75 }
  const query = questions.read(SPACE, { ...questionOf('Where is the tea?'), calibration }, 2)
  expect(query.calibration).toEqual(calibration)
})

test('of questions that never come, the earliest are forgotten', () => {
  const questions = new Questions()
  const long = (number: number) => `${number} ${'tea '.repeat(2_400)}`
  for (let number = 0; number < 20; number += 1)
    questions.expect(SPACE, questionOf(long(number)), 1)
  questions.read(SPACE, questionOf(long(19)), 1)
  expect(timesTaken()).toBe(20)
  questions.read(SPACE, questionOf(long(0)), 1)
  expect(timesTaken()).toBe(21)
})

test('a query that has its words stays as it is', () => {
  const questions = new Questions()
  const query = questions.read(SPACE, questionOf('tea'), 1)
  expect(questions.read(SPACE, query, 1)).toBe(query)
})
