// A word may be meant to be a known one that is a single slip away, and nothing else; what is short or very
// long, a code or a number is left alone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meantBy } from './typing-errors.ts'

const among =
  (...words: string[]) =>
  (word: string): boolean =>
    words.includes(word)

describe('what a word was meant to be', () => {
  test.each([4, 24])('is found for a word of %i letters', (length) => {
    const word = 'x'.repeat(length)
    expect(meantBy(word, among(`${word}y`))).toEqual([`${word}y`])
  })

  test.each([
    ['a letter too many', 'hallwway'],
    ['a letter too few', 'halway'],
    ['a wrong letter', 'hallwey'],
    ['two letters exchanged', 'hallawy'],
    ['a letter too many at the end', 'hallways'],
    ['a letter too few at the beginning', 'allway'],
  ])('is found with %s', (_, typed) => {
    expect(meantBy(typed, among('hallway', 'kitchen'))).toEqual(['hallway'])
  })

  test.each([
    ['is two slips away', 'hallwys', 'hallway'],
    ['is the word itself', 'hallway', 'hallway'],
    ['is short', 'cat', 'car'],
    ['is of 25 letters', 'x'.repeat(25), 'x'.repeat(24)],
    ['is a code, in which each sign counts', 'ab1234', 'ab1235'],
    ['is a number', '48213', '48214'],
  ])('is nothing when it %s', (_, typed, known) => {
    expect(meantBy(typed, among(known))).toEqual([])
  })

  test('is all of several words that are a single slip away', () => {
    const near = ['halway', 'hallwey', 'hallways']
    expect(meantBy('hallway', among(...near, 'highway')).toSorted()).toEqual(near.toSorted())
  })

  test('is each known candidate once, and only known ones', () => {
    const word = fc.stringMatching(/^[a-c]{4,8}$/)
    fc.assert(
      fc.property(word, fc.array(word), (typed, known) => {
        const meant = meantBy(typed, among(...known))
        expect(new Set(meant).size).toBe(meant.length)
        for (const each of meant) expect(known).toContain(each)
        expect(meant).not.toContain(typed)
      }),
    )
  })
})
