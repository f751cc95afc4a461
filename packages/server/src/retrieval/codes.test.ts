// What is asked for by its code needs that code; what is not is judged as before.
import { expect, test } from 'vitest'
import { CALIBRATION } from '../storage/conformance/records.ts'
import { calibrationForCodes, codesApart } from './codes.ts'
import { termsOfQuery } from './query-terms.ts'
import { strengthOf } from './scoring.ts'

test('a query without a code is judged as the model says', () => {
  for (const query of ['Who booked room 402?', 'Who is Anna?', '']) {
    expect(calibrationForCodes(termsOfQuery(query), CALIBRATION)).toBe(CALIBRATION)
  }
})

test('a memory with the code is found as easily as before, one without it needs far more', () => {
  const { asking: before } = CALIBRATION
  const { asking: now } = calibrationForCodes(
    termsOfQuery('Was invoice 2024-118 paid?'),
    CALIBRATION,
  )
  const evidence = { meaning: 0.2, coverage: 0.5, isAsking: false }
  const beyond = (weights: typeof now, nameCoverage: number): number =>
    strengthOf({ ...evidence, nameCoverage }, weights) - weights.border
  expect(beyond(now, 1)).toBeCloseTo(beyond(before, 1), 10)
  expect(beyond(now, 0)).toBeCloseTo(beyond(before, 0) - 2 * before.names, 10)
})

test('of several codes a memory needs one, and is found as easily as when no other is asked for', () => {
  const namesOf = (query: string) =>
    calibrationForCodes(termsOfQuery(query), CALIBRATION).asking.names
  const one = namesOf('Was invoice 2024-118 paid?')
  expect(namesOf('Were invoices 2024-118 and 2024-119 paid?') / 2).toBeCloseTo(one, 10)
  // Of these the end is a code as well, and PO-2024-118 has it, too.
  for (const code of ['INV-2024-118', '+49 (30) 123-4567']) {
    expect(namesOf(`Was ${code} called?`)).toBeCloseTo(one, 10)
  }
  expect(namesOf('Are #14812 and #4812 the same?') / 2).toBeCloseTo(one, 10)
})

test('beside another code the end of one is none, so that each counts as much', () => {
  const codesIn = (query: string) =>
    codesApart(termsOfQuery(query)).flatMap(({ term, isCode }) => (isCode ? [term] : []))
  expect(codesIn('Is INV-2024-118 for order 48213?')).toEqual(['inv2024118', '48213'])
  expect(codesIn('Are #14812 and #4812 the same?')).toEqual(['14812', '4812'])
  // "Invoice 2024-118" is near to what is asked for.
  expect(codesIn('Was INV-2024-118 paid?')).toEqual(['2024118', 'inv2024118'])
})
