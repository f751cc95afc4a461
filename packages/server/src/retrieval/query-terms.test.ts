// What a query asks for is said by few of its words: names, codes and a day count for more, stop words for nothing.
import { describe, expect, test } from 'vitest'
import { termsOfQuery } from './query-terms.ts'

const queryTerms = (query: string): string[] => termsOfQuery(query).map(({ term }) => term)

describe('the terms of a query', () => {
  test('leave out words without meaning, unless there is nothing else', () => {
    expect(queryTerms('What is the kettle?')).toEqual(queryTerms('kettle'))
    expect(queryTerms('to be or not to be')).not.toEqual([])
  })

  test('leave out what is said around a question, and know the names in it', () => {
    const terms = termsOfQuery('Hey Claude, could you please tell me Anna’s address?').filter(
      ({ isAddressed }) => isAddressed !== true,
    )
    expect(terms.map(({ term, isName }) => [term, isName])).toEqual([
      ['anna', true],
      ['address', false],
    ])
  })

  test('have the day that is asked for, and none beside the question', () => {
    const daysIn = (query: string) =>
      termsOfQuery(query).flatMap(({ term, day }) => (day === 'whole' ? [term] : []))
    expect(daysIn('What is on 3 December?')).toEqual(['@12-03'])
    expect(daysIn('appointments 2026-12-03')).toEqual(['@--12-03'])
    expect(daysIn('Today is 3 December. Where do I live?')).toEqual([])
    expect(daysIn('I plan my week. What is on 3 December?\n')).toEqual(['@12-03'])
    expect(daysIn('Today is 2026-11-29. What is on 3 December? Be short.')).toEqual(['@12-03'])
    expect(daysIn(`What is on 3 December${' or later'.repeat(60)}?`)).toEqual([])
  })

  test('have no names in the dates beside a question, however these are written', () => {
    const named = (query: string) => termsOfQuery(query).filter(({ isName }) => isName)
    expect(named('Today is 2026-11-29. Where do I live?')).toEqual([])
    const others = named('Today is 2026-11-29. What is on 2026-12-03?').map(({ word }) => word)
    expect(others).not.toContain('20261129')
    expect(named('What happened between 2026-11-01 and 2026-11-05?')).toEqual([])
  })

  test('are none for a text without letters and digits', () => {
    expect(queryTerms('?! …')).toEqual([])
  })

  test('know the names among them', () => {
    const names = (query: string): string[] =>
      termsOfQuery(query).flatMap(({ term, isName }) => (isName ? term : []))
    expect(names('Where does Anna live?')).toEqual(['anna'])
    expect(names('where does anna live')).toEqual([])
    expect(names('Kettles are useful')).toEqual([])
    expect(names('WHERE DOES ANNA LIVE')).toEqual([])
  })

  test.each([
    ['a code', 'where is ord-48213-xk', ['48213', 'ord48213xk']],
    ['a long number', 'invoice 201977', ['201977']],
    ['a number in groups', 'call 555 12 34', ['5551234']],
    ['neither years nor ordinals nor measures', 'the 3rd run of 10km in 2024', []],
    ['no amount', 'more than 1,200 euros', []],
  ])('take for names %s', (_, query, expected) => {
    const named = termsOfQuery(query).flatMap(({ term, isName }) => (isName ? term : []))
    expect(named).toEqual(expected)
  })

  test.each([
    ['the number of an invoice', 'Was invoice 2024-118 paid?', ['2024118']],
    ['letters and a number', 'What is JIRA-513 about?', ['jira513']],
    ['a telephone number', 'Whose number is +49 30 123456?', ['4930123456']],
    ['an account', 'DE89 3704 0044 0532 0130 00', ['de89370400440532013000']],
    ['a long number', 'What is in order 99812345?', ['99812345']],
    ['a version', 'Do we run v2.14.7?', ['v2.14.7']],
    ['an address of a network', 'What is 10.24.3.118?', ['10.24.3.118']],
    ['an address of mail', 'Who is ben@acme-corp.io?', ['benacmecorpio']],
    ['no address of mail beside other words', 'Was it sent to ben1984@acme-corp.io?', []],
    ['no address of a repository', 'Who owns git@example.com:acme/app.git?', []],
    ['no place of mail', 'Who has an address @acme-corp.io?', []],
    ['no date', 'What did I do on 2026-11-03?', []],
    ['no date with a name', 'What happened on November 3 2026?', []],
    ['no years', 'Where was I 2019-2021?', []],
    ['no season', 'When does the 2024/25 season start?', []],
    ['no range', 'Who earns 1000-2000 euros?', []],
    ['no time', 'What is at 10:30-11:45?', []],
    ['no time in letters', 'What is at 14h30, 8am-5pm, or for 1h30m?', []],
    ['no moment', 'What did I do on 2026-11-03T10:20:00Z, and 20261103T1020?', []],
    ['no date with a short year', 'What did I do on 3/11/26 and on 03.11.26?', []],
    [
      'no date with the short name of a month',
      'What did I do on 12-Nov-26, 3/Nov/2026, 3.Nov.2026, Nov-03-2026, 2026-Nov-03 and 12NOV26?',
      [],
    ],
    [
      'no days of a journey',
      'Where was I 03.11.2026-05.11.2026, 2026-11-03/2026-11-05, 03.11.26-05.11.26, 11/3-11/5?',
      [],
    ],
    [
      'a version like a date',
      'Is MariaDB 10.11.10 or Spring 5.3.27 in use?',
      ['10.11.10', '5.3.27'],
    ],
    [
      'no part of a year',
      'What do I plan for 12/2026, 11-2026, 2026-Q3, Q4-2026, 2026-W45, 2026Q3, 3Q26, 3Q2026 and 2026H1?',
      [],
    ],
    ['no fiscal year', 'What do we spend in FY2026 and FY2025/26?', []],
    ['no decade', 'Which songs of the mid-1990s and the 1970s-1980s do I like?', []],
    ['no age', 'Who is the 100-year-old?', []],
    ['no ratio', 'Is my pressure above 120/80?', []],
    ['no range of measures', 'Is it open 10-12h, for 150-200eur, at 60k-75k?', []],
    ['no speed, dose or energy', 'Is it 100mbps, 500mg/5ml, or 650kcal?', []],
    ['no size', 'Does it show 1920x1080 on 100m2, and is the bed 180x200cm, or 60x40x30?', []],
    ['the number of a part of a year', 'Was 2026-Q3-118 paid?', ['2026q3118']],
    [
      'a number in hexadecimal digits',
      'Is 0x80070057 or 0x8007 an error?',
      ['0x80070057', '0x8007'],
    ],
    ['no amount', 'Do I pay 1.000.000 or 1234.56 euros?', []],
    ['no price', 'Is silver at 14.83/85?', []],
    ['no thousands', 'Do 700000 people walk 10000 steps?', []],
    ['no sum of money', 'Do I earn $85400, 85400€, EUR 85400, 85400 dollars or £ 1 085 400?', []],
    ['no distance', 'Has it run 250300 km, or 155600 miles?', []],
    ['a postcode', 'Who lives in SE1 9GB?', ['se19gb']],
    ['a measure in a code', 'Is AB-12MM-500 in stock?', ['ab12mm500']],
    ['a long number that ends with zeros', 'Was 4500012000 delivered?', ['4500012000']],
    ['a long number behind an x', 'Is SN 24X12345 registered?', ['24x12345']],
    ['a number before a price', 'Was order 99812345 EUR 500?', ['99812345']],
    [
      'an account before a currency',
      'Is DE89 3704 0044 0532 0130 00 EUR?',
      ['de89370400440532013000'],
    ],
    ['no measure', 'Who wrote the 500-page novel?', []],
    ['no result', 'Who won 6-3 4-6 6-3 7-6?', []],
    ['no year of something', 'What was mid-2024 like?', []],
    ['no word with a number', 'Do I take B12, and did I have Covid-19?', []],
    ['no words that are joined', 'What does 0047_add_ledger do?', []],
    ['no small number', 'Who booked room 403?', []],
  ])('take for a code %s', (_, query, expected) => {
    const codes = termsOfQuery(query).flatMap(({ term, isCode }) => (isCode ? term : []))
    expect(codes).toEqual(expected)
  })

  test('take nothing for a code in a long text', () => {
    const long = `${'We talked about the weather. '.repeat(20)}Was invoice 2024-118 paid?`
    expect(termsOfQuery(long).some(({ isCode }) => isCode)).toBe(false)
  })

  test('are shown as the query writes them, folded', () => {
    expect(termsOfQuery('Where are the KETTLES?')[0]).toMatchObject({
      term: 'kettl',
      word: 'kettles',
    })
  })
})
