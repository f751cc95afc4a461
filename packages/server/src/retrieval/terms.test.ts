// A memory has every term of a query of the same text, and words that people take for the same become the
// same terms; whatever the script, and for any text.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { termsOfMemory } from '../testing/terms-of-memory.ts'
import { ASKING_MARK } from './asking.ts'
import { isInOtherLanguage } from './other-languages.ts'
import { termsOfQuery } from './query-terms.ts'
import { termsOfPieces } from './terms.ts'
import { nameMark } from './words/names.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.lorem({ maxCount: 5, mode: 'sentences' }),
  fc
    .array(fc.constantFrom('ORD-48213-XK', '東京タワー', 'Anna', 'the', `a${'𐌰'.repeat(65)}`, '…'))
    .map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom('C', '++', '#', '&', '&amp;', ' ', 'at', 't', 's', '9be4f1a2', '=', '/'))
    .map((signs) => signs.join('')),
)
const queryTerms = (query: string): string[] => termsOfQuery(query).map(({ term }) => term)

describe('the terms of a text', () => {
  test('are each there once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const terms of [termsOfMemory(text), queryTerms(text)]) {
          expect(new Set(terms).size).toBe(terms.length)
        }
      }),
    )
  })

  test('are all found in a memory of the same text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(termsOfMemory(text)).toEqual(expect.arrayContaining(queryTerms(text)))
      }),
    )
  })

  test.each([
    // To find the words is a match for each: four of ﷺ, one of all that is written without spaces.
    ['ﷺ', 4],
    ['한국', 0],
  ])('are made once of what a text repeats, such as %s', (repeated, words) => {
    const text = repeated.repeat(1_000)
    const matches = vi.spyOn(RegExp.prototype, 'exec')
    try {
      for (const takeTerms of [termsOfMemory, queryTerms]) {
        matches.mockClear()
        takeTerms(text)
        expect(matches.mock.calls.length).toBeLessThan((words + 1) * 1_000)
      }
    } finally {
      matches.mockRestore()
    }
  })

  test.each([
    ['Łódź', 'lodz'],
    ['Tromsø', 'TROMSO'],
    ['Đoković', 'Dokovic'],
    ['Œuvre', 'oeuvre'],
    ['Guðrún', 'Gudrun'],
  ])('meet, whether they are written %s or %s', (one, other) => {
    for (const [memory, query] of [
      [one, other],
      [other, one],
      [one, one],
    ] as const) {
      const terms = termsOfMemory(`Seen in ${memory}: rain`)
      const [asked, ...more] = termsOfQuery(query)
      expect(more).toEqual([])
      const forms = [asked?.term ?? '', ...(asked?.alternatives ?? [])]
      expect(terms.filter((term) => forms.includes(term))).not.toEqual([])
    }
  })

  test('keep a fraction apart from the whole before it', () => {
    for (const text of ['Add 1½ cups', 'Add 1 1/2 cups']) {
      expect(termsOfMemory(text)).toEqual(expect.arrayContaining(['1', '2', 'cup']))
      expect(termsOfMemory(text)).not.toContain('11')
    }
  })

  test('are marked as names in every spelling', () => {
    const marks = ['łodz', 'lodz'].map(nameMark)
    expect(termsOfMemory('She was born in Łódź')).toEqual(expect.arrayContaining(marks))
    expect(termsOfQuery('born in Łódź').at(-1)).toMatchObject({ term: 'łodz', isName: true })
  })

  test('can be stored exactly, and are short', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of [...termsOfMemory(text), ...queryTerms(text)]) {
          expect(term.isWellFormed()).toBe(true)
          expect(term).not.toBe('')
          expect([...term].length).toBeLessThanOrEqual(65)
        }
      }),
    )
  })

  test.each([
    ['letter case', 'ZEBRA', 'zebra'],
    ['accents', 'Café', 'cafe'],
    ['English endings', 'likes', 'liked'],
    ['punctuation', '“coffee”,', 'coffee'],
    ['the form of letters', 'ＡＢＣ', 'abc'],
    ['places where a word may be parted', 'Donau\u00addampf\u00adschiff', 'Donaudampfschiff'],
    ['words that are held together', 'Donau\u2060dampf\ufeffschiff', 'Donaudampfschiff'],
    ['how letters are joined', 'ශ්\u200dරී', 'ශ්රී'],
  ])('do not depend on %s', (_, one, other) => {
    expect(queryTerms(one)).toEqual(queryTerms(other))
  })

  test.each(
    'arab arabext nkoo deva beng guru gujr orya tamldec telu knda mlym sinh thai laoo tibt mymr mymrshan mymrpao mymrepka khmr mong limb java olck cakm adlm fullwide'.split(
      ' ',
    ),
  )('do not depend on the script of digits (%s)', (script) => {
    const number = 9_876_543_210
    const written = new Intl.NumberFormat(`en-u-nu-${script}`, { useGrouping: false }).format(
      number,
    )
    expect(written).not.toBe(String(number))
    expect(queryTerms(`room ${written}`)).toEqual(queryTerms(`room ${number}`))
  })

  test('tell long words apart by each of 64 signs, and codes by their endings', () => {
    const long = 'x'.repeat(63)
    expect(queryTerms(`${long}a`)).not.toEqual(queryTerms(`${long}b`))
    expect(queryTerms('ax4400s')).not.toEqual(queryTerms('ax4400'))
  })

  test('of a long word are the same when a search has asked for its language before', () => {
    const word = 'donaudampfschiff'.repeat(8)
    const terms = termsOfMemory(word)
    expect(isInOtherLanguage(`ich habe ein ${word}`)).toBe(true)
    expect(termsOfMemory(word)).toEqual(terms)
  })

  test.each([
    ['whole', 'ORD-48213-XK'],
    ['in lower case', 'ord-48213-xk'],
    ['joined', 'ORD48213XK'],
    ['in part', '48213'],
    ['with other signs', 'ord_48213.xk'],
    ['with typeset signs', 'ORD‑48213–XK'],
  ])('let a code be found %s', (_, query) => {
    const memory = termsOfMemory('The parcel ORD-48213-XK has left.')
    expect(queryTerms(query).some((term) => memory.includes(term))).toBe(true)
  })

  test.each(['खाना', 'தமிழ்', 'বাংলা', 'മലയാളം'])('are whole words of %s', (word) => {
    expect(queryTerms(word)).toHaveLength(1)
    expect(termsOfMemory(`${word} 5`)).toEqual(expect.arrayContaining(queryTerms(word)))
  })

  test('of scripts without spaces let a part of a sentence be found', () => {
    const memory = termsOfMemory('私は東京タワーが好きです。')
    const terms = queryTerms('東京タワー')
    expect(terms.length).toBeGreaterThan(0)
    expect(memory).toEqual(expect.arrayContaining(terms))
    expect(queryTerms('猫')).toEqual(['猫'])
    const withNumber = termsOfMemory('東京での2024年度の計画')
    expect(withNumber).toEqual(expect.arrayContaining(queryTerms('2024年度')))
  })

  test.each([
    ['ກາເຟ', 'ຂ້ອຍມັກດື່ມກາເຟທຸກເຊົ້າ'],
    ['កាហ្វេ', 'ខ្ញុំផឹកកាហ្វេរាល់ព្រឹក'],
    ['ကော်ဖီ', 'ကျွန်တော်ကော်ဖီသောက်တယ်'],
  ])('let %s be found in a sentence', (word, sentence) => {
    expect(termsOfMemory(sentence)).toEqual(expect.arrayContaining(queryTerms(word)))
  })

  test('are no long vowel alone, which most words of Katakana have', () => {
    const memory = termsOfMemory('毎朝コーヒーを飲む')
    expect(memory).toEqual(expect.arrayContaining(queryTerms('コーヒー')))
    expect(queryTerms('ルール').filter((term) => memory.includes(term))).toEqual([])
  })
})

describe('the terms of a piece', () => {
  const content = 'Anna: The kettle sings. A cat sleeps in Lisbon.'
  const middle = content.indexOf(' A cat')
  const [first = [], second = []] = termsOfPieces(content, [
    { start: 0, end: middle },
    { start: middle, end: content.length },
  ])

  test('are its own', () => {
    expect(first).toContain('kettl')
    expect(first).not.toContain('cat')
    expect(second).toEqual(expect.arrayContaining(['cat', nameMark('lisbon')]))
    expect(second).not.toContain('kettl')
  })

  test('name who is speaking, in every piece', () => {
    for (const terms of [first, second]) {
      expect(terms).toEqual(expect.arrayContaining(['anna', nameMark('anna')]))
    }
  })

  test('mark a memory that only asks something', () => {
    expect(termsOfMemory('Did you see the kettle?')).toContain(ASKING_MARK)
    expect(termsOfMemory('Did you see it? It sings.')).not.toContain(ASKING_MARK)
  })
})
