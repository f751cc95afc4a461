import { describe, expect, test } from 'vitest'
import { isKnownTo, rarityInEnglish, rarityOf } from './rarity.ts'
import { stemOf } from './words/stemming.ts'

const rarity = rarityInEnglish()

describe('the rarity of a term', () => {
  test('is positive, and greater the rarer a word is', () => {
    const rarities = ['time', 'kitchen', 'zebra', 'xk48213'].map((word) => rarity(stemOf(word)))
    expect(rarities).toEqual(rarities.toSorted((one, other) => one - other))
    expect(new Set(rarities).size).toBe(rarities.length)
    expect(rarities[0]).toBeGreaterThan(0)
  })

  test('is that of the line on which the stem stands', () => {
    const small = rarityOf('the\n\nlike\n')
    expect(small('like')).toBeGreaterThan(small('the'))
    expect(small('like')).toBeLessThan(rarityOf('the\n\n\nlike\n')('like'))
  })

  test('is greatest for what the language has not, an empty line included', () => {
    expect(rarity('')).toBe(rarity('xk48213'))
    expect(isKnownTo(rarity, 'xk48213')).toBe(false)
    expect(isKnownTo(rarity, stemOf('kitchens'))).toBe(true)
  })
})
