// A date is found however it is written. Each case asks whether a memory has every term of the query, in one of
// its forms.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWhollyIn, termsOfMemory } from '../../testing/terms-of-memory.ts'
import { dayAskedFor, formsOfDates } from './dates.ts'

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
    ['DTSTART:20261103T102000', '3 November 2026'],
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

describe('the day that is asked for', () => {
  const isOn = (written: string, asked: string): boolean => {
    const there = new Set(termsOfMemory(written))
    return dayAskedFor(asked)?.forms.some((form) => there.has(form)) === true
  }

  test.each([
    ['2026-12-03', 'what is on 3 december?'],
    ['3 Dec 2026', '2026-12-03'],
    ['3rd of December', 'dec 3, 2026'],
    ['on the 3.12.2026', 'december 3rd'],
    ['12/3/2026', '3 december'],
    ['12/3/2026', '12 march'],
    ['2026-12-03T15:30:00+01:00', '3 december 2026'],
    ['10–17 July 2027', '12 july 2027'],
    ['10 to 17 July', 'july 10'],
    ['July 10-17, 2027', '2027-07-17'],
    ['21 December to 2 January', '1 january'],
    ['2026-12-21 – 2027-01-02', '24 december'],
    ['21 December 2026 to 2 January 2027', '24 december'],
    ['notes of 2026-12-03', 'notes from 2026-12-03'],
    ['moved to 3 December', 'what was moved to 2026-12-03?'],
    ['2026-12-03: standup', '2026-12-03 - standup'],
    ["Anna's birthday: 3 December 1988", 'whose birthday is on 2026-12-03?'],
    ['28 Feb to 1 March', '29 february'],
  ])('is one of %s: %s', (written, asked) => {
    expect(isOn(written, asked)).toBe(true)
  })

  test.each([
    ['another day', '2026-12-03', '4 december'],
    ['another month', '3 November, 12 o’clock', '3 december'],
    ['another year', '3 December 2025', '3 december 2026'],
    ['before them', '10–17 July 2027', '9 july'],
    ['after them', '21 December to 2 January', '3 january'],
    ['in a long time', '1 March to 30 September', '3 july'],
  ])('is not %s: %s, %s', (_, written, asked) => {
    expect(isOn(written, asked)).toBe(false)
  })

  test.each([
    'before 3 december',
    'until the 3rd of december',
    'what is due by 3 december?',
    'from 3 to 5 december',
    '3-5 december',
    'december 3 to 5',
    '3 or 4 december',
    '3 december and 5 december',
    '3 december until 5 january',
    'december 2026',
    'in december',
    'room 3',
  ])('is none in %s', (asked) => {
    expect(dayAskedFor(asked)).toBeUndefined()
  })
})
