// A number is found however its groups and signs are written, and not by another one. Each case asks whether
// a memory has every term of the query, in one of its forms.
import { describe, expect, test } from 'vitest'
import { isWhollyIn, termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../query-terms.ts'
import { groupedNumbers } from './numbers.ts'

describe('a number with letters', () => {
  test.each([
    ['without its space', 'Flight LH 2471 leaves at noon', 'LH2471'],
    ['with a space', 'Flight LH2471 leaves at noon', 'lh 2471'],
    ['with a sign', 'Paint in RAL 7016', 'ral-7016'],
    [
      'by itself, from inside an address',
      'See https://t.example.com/browse/PAY-9381?x=1',
      'PAY9381',
    ],
    ['by itself, from inside a branch', 'Branch bugfix/OPS-77_fix-login waits', 'OPS-77'],
    ['by itself, from before a part', 'The part AX-4400/B fits', 'ax4400'],
    ['without its 0x', 'It ends with 0x80070057 each time', '80070057'],
    ['with a 0x', 'Our blue is #1E90FF', '0x1e90ff'],
    ['by itself, with a low line', 'Branch bugfix/OPS_77-fix-login waits', 'ops77'],
    ['by itself, with a long word', 'See https://t.example.com/BACKEND-9381?x=1', 'backend9381'],
  ])('is found %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(true)
  })

  test.each([
    ['another number', 'Flight LH 2471 leaves at noon', 'LH2472'],
    ['another number with a 0x', 'It ends with 0x80070057', '0x80070058'],
    ['another preview', 'We run v2.0.0-rc.1 there', '2.0.0-rc.2'],
    ['a sentence', 'We met in 2024', 'in2024'],
    ['the beginning of it', 'The part AX-4400S fits', 'AX4400'],
  ])('is not found by %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(false)
  })

  test('is no name because of a word before it', () => {
    expect(termsOfQuery('what happened on june 14').some(({ isName }) => isName)).toBe(false)
  })
})

/** Whether a memory has more of a number than single groups of it. The name of a month is such a group. */
function isMoreThanGroupsOf(memory: string, query: string): boolean {
  const there = new Set(termsOfMemory(memory))
  const groups = new Set([...(query.match(/\d+/g) ?? []), ...(query.match(/[a-z]+\d*/g) ?? [])])
  return termsOfQuery(query)
    .flatMap(({ term, alternatives }) => [term, ...alternatives])
    .some((form) => /\d/.test(form) && !groups.has(form) && there.has(form))
}

describe('a number whose signs tell it from another one of the same digits', () => {
  test.each([
    ['an address', '192.168.1.25', '192.168.12.5'],
    ['a short address', '10.11.2.3', '10.1.1.23'],
    ['a version', '4.2.1', '42.1'],
    ['a version with a v', 'v2.21.0', 'v2.2.10'],
    ['a version within a name', 'app:v4.21-rc1', 'app:v42.1-rc1'],
    ['a decimal', '99.9', '9.99'],
    ['a long decimal', '59.3293', '593.293'],
    ['a date', '2.11.2026', '21.1.2026'],
    ['a date with strokes', '1/21/2026', '12/1/2026'],
    ['a date with dashes', '1-21-2026', '12-1-2026'],
    ['a date that begins with the year', '2026-1-21', '2026-12-1'],
    ['a date with the same last seven digits', '11/11/2026', '21/11/2026'],
    ['a date before a time', '2.11.2026 14', '21.1.2026 14'],
  ])('is found by itself alone: %s', (_, number, other) => {
    expect(isWhollyIn(`It says ${number} there`, number)).toBe(true)
    expect(isMoreThanGroupsOf(`It says ${number} there`, number)).toBe(true)
    expect(isMoreThanGroupsOf(`It says ${number} there`, other)).toBe(false)
    expect(isMoreThanGroupsOf(`It says ${other} there`, number)).toBe(false)
  })

  test.each([
    ['2.11.2026', '02/11/2026'],
    ['02-11-2026', '2.11.2026'],
    ['20261102', '2026-11-02'],
    ['2026/11/2', '2026-11-02'],
  ])('is found as a date with other signs: %s, %s', (number, other) => {
    expect(isMoreThanGroupsOf(`It says ${number} there`, other)).toBe(true)
  })

  test('is no telephone number, which is joined whatever its signs', () => {
    expect(isWhollyIn('Call 555.867.5309', '5558675309')).toBe(true)
    expect(isWhollyIn('Call 06.12.34.56.78', '06 12 34 56 78')).toBe(true)
    expect(isWhollyIn('Call 867.5309', '8675309')).toBe(true)
  })
})

describe('a measure', () => {
  test.each([
    ['32GB', '32 GB'],
    ['86.4kg', '86.4 kg'],
    ['85m2', '85 m2'],
    ['5m', '5 m'],
    ['9am', '9 am'],
    ['50mg', '50\u00a0mg'],
  ])('is the same with a space and without: %s', (joined, parted) => {
    expect(isMoreThanGroupsOf(`It has ${parted} there`, joined)).toBe(true)
    expect(isMoreThanGroupsOf(`It has ${joined} there`, parted)).toBe(true)
  })

  test.each([
    ['a sentence', 'We were 3 in 2024', '3in'],
    ['the end of an amount', 'It weighs 1,299 kg', '299kg'],
    ['another decimal', 'It weighs 86.4 kg', '8.64kg'],
    ['a longer word', 'We have 12 kids', '12kid'],
  ])('is not made of %s', (_, memory, query) => {
    expect(isMoreThanGroupsOf(memory, query)).toBe(false)
  })
})

describe('a version', () => {
  test.each([
    ['without its v', 'We run v2.14.3 there', '2.14.3'],
    ['with a v', 'We run 2.14.3 there', 'v2.14.3'],
    ['without its v, of a preview', 'We run v2.0.0-rc.1 there', '2.0.0-rc.1'],
    ['with a v, of a preview', 'We run 2.0.0-rc.1 there', 'v2.0.0-RC.1'],
    ['without what follows', 'The image acme/billing:v2.14.3-rc1 crashes', '2.14.3'],
    ['by its name with a colon', 'The image nginx:1.25.3-alpine crashes', 'nginx:1.25.3'],
  ])('is found %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(true)
  })

  test('is not found by another one', () => {
    expect(isWhollyIn('We run v2.14.3 there', '2.14.4')).toBe(false)
  })

  test('is looked for in the time of one look at the text, however many digits are in it', () => {
    // Begun anew at each digit, it takes half a minute.
    const forms = groupedNumbers(`${'1'.repeat(100_000)} 2.14`).flatMap((number) => number.forms)
    expect(forms).toEqual(['2.14'])
  })
})

describe('a number in groups', () => {
  test.each([
    ['without its spaces', 'IBAN DE44 5001 0517 5407 3249 31', 'de44500105175407324931'],
    ['in groups of its own', 'IBAN DE44500105175407324931', 'DE44 5001 0517 5407 3249 31'],
    ['in other groups', 'Olivia: +44 7700 900 316', '+44 7700 900316'],
    ['from inside the country', 'Olivia: +44 7700 900 316', '07700 900316'],
    ['from outside the country', 'Olivia: 07700 900316', '+44 7700 900 316'],
    ['from outside the country where it has no groups', 'Olivia: 07700900316', '+447700900316'],
    ['with other signs', 'Call (030) 555-12 34 99', '030 5551 2349 9'],
    ['without the sign between thousands', 'A budget of 12,000 euros', '12000'],
    ['with a sign between thousands', 'A budget of 12000 euros', '12,000'],
    ['with another sign between thousands', "It costs CHF 1'240.50", '1,240.50'],
    ['without the apostrophe between thousands', "A rent of 1'240 francs", '1240'],
    ['without the typeset apostrophe between thousands', 'A rent of 1’240 francs', '1240'],
    ['without its cents', 'The bike costs €1,299.00', '1299'],
    ['with its cents alone', 'The bike costs 1.299,00 €', '1299.00'],
    ['without what comes before it', 'Call mom: 555-867-5309', '8675309'],
    ['with what comes before it', 'Call mom: 867-5309', '+1 555 867 5309'],
    ['by its end, though it begins with letters', 'IBAN DE44 5001 0517 5407 3249 31', '7324931'],
    ['without a dash between spaces', 'Call 555 - 12 34', '5551234'],
    ['without a stroke', 'Tax number 181815/08 155', '18181508155'],
    ['without spaces at which no line breaks', 'Call 555\u00a012\u00a034', '5551234'],
    ['as an address with spaces', 'The gateway is 10.24.3.118', '10 24 3 118'],
  ])('is found %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(true)
  })

  test.each([
    ['another number', 'Olivia: +44 7700 900 316', '07700 900317'],
    ['another one with the same last six digits', 'Call mom: 867-5309', '967-5309'],
    ['the digits of a code that has letters between them', 'Part a1b2c3d4e5f6g7', '1234567'],
    ['another account', 'IBAN DE44 5001 0517 5407 3249 31', 'DE44500105175407324932'],
    ['another amount', 'A budget of 12,000 euros', '1200'],
    ['a list as an amount', 'Rooms 12, 300 and 14', '12300'],
    ['a list without spaces as an amount', 'Rooms 5,12,300', '12300'],
    ['the beginning of another amount', 'A share of 12,0005', '12000'],
    ['a part that crosses its groups', 'Olivia: +44 7700 900 316', '00900'],
  ])('is not found by %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(false)
  })

  test('has five signs at least', () => {
    expect(termsOfMemory('Room 12 345')).toContain('12345')
    expect(termsOfMemory('Room 12 34')).not.toContain('1234')
  })

  test('does not reach over a line of dashes', () => {
    expect(termsOfMemory('Room 2024 ---- 5555')).not.toContain('20245555')
  })

  test('does not reach over words', () => {
    expect(termsOfMemory('In 2024 we had 15 guests and 300 chairs.')).not.toContain('202415')
  })
})
