import { expect, test } from 'vitest'
import { CALIBRATION } from '../storage/conformance/records.ts'
import { identityOf } from './identity.ts'
import { questionReader } from './search-query.ts'

const read = questionReader()
const questionOf = (text: string) => ({ text, parts: [], calibration: CALIBRATION })

test('a question is read for what it asks, and for the words that may be slips', () => {
  const asking = read(questionOf('Where does the kitchn stand?'))
  expect(asking).toMatchObject({ asks: true, identity: identityOf('Where does the kitchn stand?') })
  expect(asking.terms.map(({ word, isKnown }) => [word, isKnown])).toEqual([
    ['kitchn', false],
    ['stand', true],
  ])
  const [slip, stand] = asking.terms
  expect(slip?.rarity).toBeGreaterThan(stand?.rarity ?? Number.NaN)
  expect(read(questionOf('The kitchen stands in the old house.')).asks).toBe(false)
})

test('what was read is not read again', () => {
  const query = read(questionOf('tea'))
  expect(read(query)).toBe(query)
})
