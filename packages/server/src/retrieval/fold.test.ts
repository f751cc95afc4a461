// Spellings that people take for the same fold to the same, and the time for it grows with the text alone.
// Every character that is assigned is tried, since Unicode has an exception to every rule.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldName, foldText } from './fold.ts'

const anyText = fc.string({
  unit: fc.oneof(fc.constant('\u0301'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
})

/** Unassigned, or half of a surrogate pair. */
const NEVER_WRITTEN = /[\p{Cn}\p{Cs}]/u

describe('folded text', () => {
  test.each(['\u0f73\u0f72', '\u0301\u0345', '\u0315\u0300', '\uff9e\u0300\u0315'])(
    'is made in the time of its length, however many marks (%j) are on one letter',
    (marks) => {
      // Put into their order all at once, each of these takes a minute.
      expect(foldText(`É${marks.repeat(200_000)}x`)).toMatch(/^e\u03b9*x$/)
    },
  )

  test.each([
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'straße'],
    ['Ångström', 'angstrom'],
    ['Ångström'.normalize('NFD'), 'ångström'.normalize('NFC')],
    ['ﬁn', 'fin'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ｆｕｌｌ', 'full'],
    ['İstanbul', 'istanbul'],
    ['O’Brien', "O'Brien"],
    ['O‘Brien', "O'Brien"],
    ['Oʼahu', "O'ahu"],
    ['555‒1234', '555-1234'],
    ['Jean\u2011Luc', 'Jean-Luc'],
    ['Paris–Roubaix', 'Paris-Roubaix'],
  ])('makes %s and %s equal', (one, other) => {
    expect(foldText(one)).toBe(foldText(other))
  })

  test.each([
    ['cat', 'car'],
    ['ı', 'l'],
    ['记忆', '記憶'],
    ['и', 'u'],
    ['काम', 'कम'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other))
  })

  test('stays the same when it is folded again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })

  test('does not depend on how the text was composed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(text.normalize('NFC'))).toBe(foldText(text))
        expect(foldText(text.normalize('NFD'))).toBe(foldText(text))
      }),
    )
  })

  test('is the same for every character, in either case, composed or not', () => {
    const differing: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      if (NEVER_WRITTEN.test(character)) continue
      const folded = foldText(character)
      const forms = [
        character.toUpperCase(),
        character.toLowerCase(),
        character.normalize('NFC'),
        character.normalize('NFD'),
        folded,
      ]
      if (forms.some((form) => form !== character && foldText(form) !== folded)) {
        differing.push(`${character} U+${code.toString(16)}`)
      }
    }
    expect(differing).toEqual([])
  })
})

describe('folded names', () => {
  test.each([
    ['Łódź', 'lodz'],
    ['Ørsted', 'ORSTED'],
    ['Đoković', 'dokovic'],
    ['Ħal Għaxaq', 'hal ghaxaq'],
    ['ǢON', 'æon'],
    ['Œuvre', 'oeuvre'],
    ['Þórður', 'thordur'],
    ['STRAẞE', 'strasse'],
    ['ŁØĐĦŦɃƗɌɄȻǤƵɎⱣɆɈȺÆŒÐÞ', 'lodhtbirucgzypejaaeoedth'],
  ])('make %s and %s equal', (one, other) => {
    expect(foldName(one)).toBe(foldName(other))
  })

  test('hold the end of a Greek word in its middle too', () => {
    expect(foldName('Οδυσσέας')).toContain(foldName('ΟΔΥΣ'))
  })

  test('stay the same when they are folded again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldName(foldName(text))).toBe(foldName(text))
        if (foldText(text).trim() !== '') expect(foldName(foldText(text))).toBe(foldName(text))
      }),
    )
  })

  test('are never empty: what consists of marks stays as it is', () => {
    expect(foldName('\u1a58')).toBe('\u1a58')
    expect(foldName(' \u0301')).toBe(' \u0301')
    expect(foldName('e\u0301')).toBe('e')
  })
})
