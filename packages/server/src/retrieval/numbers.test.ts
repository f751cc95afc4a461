import { describe, expect, it } from 'vitest'
import { termsOfMemory, termsOfQuery } from './terms.ts'

/** Whether every term of the query is there, in one of its forms. */
function isWhollyIn(memory: string, query: string): boolean {
  const there = new Set(termsOfMemory(memory))
  return termsOfQuery(query).every(({ term, alternatives }) =>
    [term, ...alternatives].some((form) => there.has(form)),
  )
}

describe('a number in groups', () => {
  it.each([
    ['without its spaces', 'IBAN DE44 5001 0517 5407 3249 31', 'de44500105175407324931'],
    ['in groups of its own', 'IBAN DE44500105175407324931', 'DE44 5001 0517 5407 3249 31'],
    ['in other groups', 'Olivia: +44 7700 900 316', '+44 7700 900316'],
    ['from inside the country', 'Olivia: +44 7700 900 316', '07700 900316'],
    ['from outside the country', 'Olivia: 07700 900316', '+44 7700 900 316'],
    ['with other signs', 'Call (030) 555-12 34 99', '030 5551 2349 9'],
    ['without the sign between thousands', 'A budget of 12,000 euros', '12000'],
    ['with a sign between thousands', 'A budget of 12000 euros', '12,000'],
    ['with another sign between thousands', "It costs CHF 1'240.50", '1,240.50'],
    ['without its cents', 'The bike costs €1,299.00', '1299'],
    ['with its cents alone', 'The bike costs 1.299,00 €', '1299.00'],
    ['without what comes before it', 'Call mom: 555-867-5309', '8675309'],
    ['with what comes before it', 'Call mom: 867-5309', '+1 555 867 5309'],
    ['as an address with spaces', 'The gateway is 10.24.3.118', '10 24 3 118'],
  ])('is found %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(true)
  })

  it.each([
    ['another number', 'Olivia: +44 7700 900 316', '07700 900317'],
    ['another account', 'IBAN DE44 5001 0517 5407 3249 31', 'DE44500105175407324932'],
    ['another amount', 'A budget of 12,000 euros', '1200'],
    ['a list as an amount', 'Rooms 12, 300 and 14', '12300'],
    ['a part that crosses its groups', 'Olivia: +44 7700 900 316', '00900'],
  ])('is not found by %s', (_, memory, query) => {
    expect(isWhollyIn(memory, query)).toBe(false)
  })

  it('does not reach over words', () => {
    expect(termsOfMemory('In 2024 we had 15 guests and 300 chairs.')).not.toContain('202415')
  })
})
