import { expect, test } from 'vitest'
import { CALIBRATION } from '../storage/conformance/records.ts'
import { identityOf } from './identity.ts'
import { rarityInEnglish } from './rarity.ts'
import { expectedQueryOf, searchQueryOf } from './search-query.ts'

const read = (text: string, calibration = CALIBRATION) =>
  expectedQueryOf({ text, calibration }, rarityInEnglish())

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
  expect(read('Get all information about the kitchen of Anna').asks).toBe(true)
  const hasDay = (text: string) => read(text).terms.some(({ day }) => day === 'whole')
  expect(hasDay('What is on 3 December?')).toBe(true)
  expect(hasDay('The concert is on 3 December.')).toBe(false)
})

test('it is judged as the model says, unless the model does not read it or it has a code', () => {
  const calibration = { ...CALIBRATION, scripts: { Latin: 0.25 } }
  const borderOf = (text: string) => read(text, calibration).calibration.stating.border
  expect(borderOf('The kitchen stands in the old house.')).toBe(CALIBRATION.stating.border)
  const foreign = borderOf('Die Küche steht in dem alten Haus, und der Garten auch.')
  expect(foreign).toBeCloseTo(CALIBRATION.asking.border + 0.25, 10)
  const withCode = borderOf('Die Küche steht in dem alten Haus, und die Rechnung 2024-118 auch.')
  expect(withCode).toBeGreaterThan(foreign)
  expect(borderOf('The lookup failed at node:net:1817:16 as before.')).toBe(
    CALIBRATION.stating.border,
  )
})

test('one without a word, or of which the model knows nothing, is judged as in the script it reads least', () => {
  const calibration = { ...CALIBRATION, scripts: { Han: 0, Thai: 0.25, Greek: 0.125 } }
  const unread = CALIBRATION.asking.border + 0.25
  const part = { vector: Float32Array.of(1), commonness: undefined }
  const borderOf = (text: string, isUnread: boolean[]) =>
    searchQueryOf(
      text,
      isUnread.map((each) => ({ ...part, isUnread: each })),
      rarityInEnglish(),
      calibration,
    ).calibration.stating.border
  expect(borderOf('🚀', [])).toBe(unread)
  expect(borderOf('!!!', [false])).toBe(unread)
  expect(borderOf('咖啡', [true])).toBe(unread)
  expect(borderOf('咖啡', [true, false])).toBe(CALIBRATION.asking.border)
  expect(borderOf('咖啡', [])).toBe(CALIBRATION.asking.border)
  expect(borderOf('coffee', [])).toBe(CALIBRATION.stating.border)
})
