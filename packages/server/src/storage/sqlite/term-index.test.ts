import { expect, test } from 'vitest'
import { TermIndex } from './term-index.ts'

const term = (word: string, alternatives: string[] = []) => ({
  ...{ term: word, word, alternatives },
  ...{ isName: false, rarity: 1, isKnown: true },
})

function matched(index: TermIndex, memories: number, ...terms: ReturnType<typeof term>[]) {
  const matches = { coverage: new Float64Array(5), nameCoverage: new Float64Array(5) }
  index.match(index.weigh(terms, memories), matches)
  return [...matches.coverage]
}

test('a piece with several forms of a term has it once', () => {
  const index = new TermIndex()
  index.add([0, 1], [['48213', 'ord48213'], ['ord48213']])
  index.add([2], [['tea']])
  expect(matched(index, 2, term('48213', ['ord48213']))).toEqual([1, 1, 0, 0, 0])
})

test('pieces that were removed have no terms, and others may take their numbers', () => {
  const index = new TermIndex()
  const empty = index.bytes
  for (const piece of [0, 1, 2, 3, 4]) index.add([piece], [['tea', `own${piece}`]])
  for (const piece of [1, 4, 0]) index.remove([piece])
  expect(matched(index, 2, term('tea'))).toEqual([0, 0, 1, 1, 0])
  expect(index.piecesWith('own1')).toEqual(new Set())
  index.add([1], [['milk']])
  expect(matched(index, 3, term('milk'))).toEqual([0, 1, 0, 0, 0])
  expect(index.hasAny(1, ['tea'])).toBe(false)
  for (const piece of [1, 2, 3]) index.remove([piece])
  expect(index.bytes).toBe(empty)
})
