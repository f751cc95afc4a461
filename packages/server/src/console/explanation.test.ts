// The shares of what speaks for a memory, as the console shows them.
import { expect, test } from 'vitest'
import { toExplanation } from './explanation.ts'

const result = { id: 'm', content: 'c', score: 0, userId: 'u', tags: [], createdAt: '' }

function sharesOf(parts: { meaning: number; words: number; names: number; askingMemory: number }) {
  const explanation = { score: 0, sentence: { start: 0, end: 1 }, terms: [], parts }
  return toExplanation({ result, explanation })?.parts.map(({ kind, share }) => [kind, share])
}

test('they add up to 1, and what speaks against the memory has none', () => {
  expect(sharesOf({ meaning: 0.3, words: 0.1, names: 0, askingMemory: -0.2 })).toEqual([
    ['meaning', expect.closeTo(0.75)],
    ['words', expect.closeTo(0.25)],
    ['askingMemory', 0],
  ])
})

test('they are all 0 where nothing speaks for the memory', () => {
  expect(sharesOf({ meaning: -0.1, words: 0, names: 0, askingMemory: -0.2 })).toEqual([
    ['meaning', 0],
    ['askingMemory', 0],
  ])
})
