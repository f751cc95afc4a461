import { expect, test } from 'vitest'
import { identityOf } from './identity.ts'
import { rarityInEnglish } from './rarity.ts'
import { wordsOfQuery } from './search-query.ts'

const read = (text: string) => wordsOfQuery(text, rarityInEnglish())

test('a question is read for what it asks, and for the words that may be slips', () => {
  const asking = read('Where does the kitchn stand?')
  expect(asking).toMatchObject({ asks: true, identity: identityOf('Where does the kitchn stand?') })
  expect(asking.terms.map(({ word, isKnown }) => [word, isKnown])).toEqual([
    ['kitchn', false],
    ['stand', true],
  ])
  const [slip, stand] = asking.terms
  expect(slip?.rarity).toBeGreaterThan(stand?.rarity ?? Number.NaN)
  expect(read('The kitchen stands in the old house.').asks).toBe(false)
})
