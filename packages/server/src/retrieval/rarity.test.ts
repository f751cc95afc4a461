import { describe, expect, it } from 'vitest'
import { readVocabulary } from '../embedding/vocabulary.ts'
import { rarityOf } from './rarity.ts'
import { stemOf } from './stemming.ts'

const rarity = rarityOf(readVocabulary())

describe('the rarity of a term', () => {
  it('is positive, and greater the rarer a word is', () => {
    const rarities = ['time', 'kitchen', 'zebra', 'xk48213'].map((word) => rarity(stemOf(word)))
    expect(rarities).toEqual(rarities.toSorted((one, other) => one - other))
    expect(new Set(rarities).size).toBe(rarities.length)
    expect(rarities[0]).toBeGreaterThan(0)
  })

  it('is that of the most frequent form of the word', () => {
    const vocabulary = { like: 2_000, likes: 3_000, '##ly': 1_999, '!': 999 }
    const ofLike = rarityOf(vocabulary)('like')
    expect(ofLike).toBe(rarityOf({ like: 2_000 })('like'))
    expect(ofLike).toBeLessThan(rarityOf({ likes: 3_000 })('like'))
  })

  it('takes parts of words and marks for no words', () => {
    const odd = rarityOf({ '##ing': 2_000, '!': 999 })
    expect(odd('ing')).toBe(odd('unknown'))
    expect(odd('!')).toBe(odd('unknown'))
  })
})
