// A date is found however it is written. Each case asks whether a memory has every term of the query, in one of
// its forms.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWhollyIn } from '../../testing/terms-of-memory.ts'
import { formsOfDates } from './dates.ts'

describe('a date', () => {
  test.each([
    ['2026-11-03', '3 November 2026'],
    ['2026-11-03', 'November 3, 2026'],
    ['2026-11-03', 'Nov. 3rd, 2026'],
    ['2026-11-03', '3rd of November'],
    ['2026-11-03', 'November 3'],
    ['2026-11-03', 'November 2026'],
    ['2026-11-03', 'November'],
    ['2026-11-03T10:20:00Z', '3 Nov 2026'],
    ['2026-11', 'Nov 2026'],
    ['3 November 2026', '2026-11-03'],
    ['3 November 2026', '20261103'],
    ['3 November 2026', '3.11.2026'],
    ['3 November 2026', '03/11/2026'],
    ['3 November 2026', '11/3/2026'],
    ['November 3rd, 2026', '2026-11-3'],
    ['Nov 3rd', 'November 3'],
    ['03-Nov-2026', '3 November 2026'],
    ['3.11.2026', 'Nov 3rd, 2026'],
    ['3.11.2026', '2026-11-03'],
    ['21/11/2026', '21 November'],
    ['11/21/2026', 'November 21st'],
    ['5/5/2026', 'May 5'],
    ['Sept 3, 2026', '2026-09-03'],
    ['11/3/2026', '2026-11-03'],
    ['11/3/2026', '2026-03-11'],
  ])('%s is found by %s', (written, asked) => {
    expect(isWhollyIn(`We met on ${written}`, asked)).toBe(true)
    expect(isWhollyIn(`${written}: we met`, asked)).toBe(true)
  })

  test.each([
    ['another day', '2026-11-03', '13 November 2026'],
    ['another month', '2026-11-03', '3 March 2026'],
    ['the day and month in turn', '2026-03-11', '3 November 2026'],
    ['another year', '3 November 2026', '2025-11-03'],
    ['the other reading of dots', '11.3.2026', '3 November 2026'],
    ['a month that it may not be of', '11/3/2026', 'in November'],
    ['the end of a time', '10:30 November 2026', '2026-11-30'],
    ['the end of an amount', '1.299,3 November 2026', '2026-11-03'],
  ])('is not found by %s: %s, %s', (_, written, asked) => {
    expect(isWhollyIn(`We met on ${written}`, asked)).toBe(false)
  })

  test.each([
    '0 may',
    '32 may',
    '2026-13-03',
    '2026-00-03',
    '13.13.2026',
    'may',
    'mayor 3',
    '3 maybe',
  ])('is not read into %s', (text) => {
    expect(formsOfDates(text)).toEqual([])
  })

  test('is the same day in each way to write it', () => {
    const days = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('2999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(days, (date) => {
        const digits = date.toISOString().slice(0, 10)
        const inWords = (month: 'long' | 'short', order: string) =>
          new Intl.DateTimeFormat(order, {
            day: 'numeric',
            month,
            year: 'numeric',
            timeZone: 'UTC',
          }).format(date)
        for (const words of [
          inWords('long', 'en-US'),
          inWords('long', 'en-GB'),
          inWords('short', 'en-US'),
        ]) {
          expect(isWhollyIn(digits, words)).toBe(true)
          expect(isWhollyIn(words, digits)).toBe(true)
        }
      }),
    )
  })
})
