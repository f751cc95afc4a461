// Queries in English are judged as before; others need as much more as their letters or their language ask for,
// whatever else a text holds, and whichever kind of query it is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrationOfBundledModel } from '../embedding/model-calibration.ts'
import { type Calibration, SCRIPTS } from './calibration.ts'
import { calibrationForScript } from './scripts.ts'

const ENGLISH_ALONE = calibrationOfBundledModel()
const EACH = Object.fromEntries(SCRIPTS.map((script, place) => [script, (place + 1) / 100]))
const CALIBRATION: Calibration = { ...ENGLISH_ALONE, scripts: EACH }

/** How much more evidence it needs than a question with a name, by whose weights it is judged. */
function expectExtra(query: string, extra: number | undefined): void {
  const { asking, nameless, stating } = calibrationForScript(query, CALIBRATION)
  expect(asking).toEqual({
    ...CALIBRATION.asking,
    border: expect.closeTo(CALIBRATION.asking.border + (extra ?? Number.NaN), 10),
  })
  expect(nameless).toEqual(asking)
  expect(stating).toEqual(asking)
}

describe('a query', () => {
  test.each([
    ['Arabic', 'أين يعيش أخي؟'],
    ['Arabic', 'مُحَمَّد'],
    ['Cyrillic', 'Где живёт мой брат?'],
    ['Devanagari', 'मेरा भाई कहाँ रहता है?'],
    ['Greek', 'Πού μένει ο αδελφός μου;'],
    ['Greek', 'που μένει'.normalize('NFD')],
    ['Han', '我弟弟住在哪里？'],
    ['Hangul', '내 동생은 어디에 사나요?'],
    ['Hebrew', 'אֵיפֹה אָחִי גָּר?'],
    ['Kana', 'おとうとはどこですか？'],
    ['Kana', 'ベルリン'],
    ['Latin', 'Wo wohnt mein Bruder?'],
    ['Latin', 'Wo wohnt Сергей mit seiner Familie?'],
    ['Thai', 'น้องชายอยู่ที่ไหน'],
    ['Vietnamese', 'Em trai tôi sống ở đâu?'],
    ['Vietnamese', 'Em trai tôi sống ở đâu?'.normalize('NFD')],
    ['other', 'ჩემი ძმა სად ცხოვრობს?'],
    ['other', 'আমার ভাই কোথায় থাকে?'],
  ])('in the script %s needs what was measured for it: %s', (script, query) => {
    expectExtra(query, EACH[script])
  })

  test('in two scripts needs what the letters of each need, by their number', () => {
    expectExtra('дом кот λύσ', ((EACH['Cyrillic'] ?? 0) * 6 + (EACH['Greek'] ?? 0) * 3) / 9)
  })

  test('is judged by most of its letters, whatever signs and digits stand beside them', () => {
    expectExtra('куда 2026, 19:30!? 🎂', EACH['Cyrillic'])
    expectExtra('куда abc', EACH['Cyrillic'])
    expect(calibrationForScript('куда abcd', CALIBRATION)).toBe(CALIBRATION)
  })

  test('in English, whatever accents, signs and digits it has, is judged as it always was', () => {
    for (const query of ['Where does my brother live?', 'José’s café', 'What is in Łódź 19½?']) {
      expect(calibrationForScript(query, CALIBRATION)).toBe(CALIBRATION)
    }
    // By themselves they may be small words of other languages.
    const latin = fc.string({ unit: fc.constantFrom(...'aQßøñễ\u0301 19?!🎂–’½€'), maxLength: 10 })
    fc.assert(
      fc.property(latin, (some) => {
        const query = `Where does ${some} live?`
        expect(calibrationForScript(query, CALIBRATION)).toBe(CALIBRATION)
      }),
    )
  })

  test('of any letters needs no less than a question with a name, and no more than the script that needs most', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const judgedBy = calibrationForScript(query, CALIBRATION)
        if (judgedBy === CALIBRATION) return
        const extra = judgedBy.nameless.border - CALIBRATION.asking.border
        expect(extra).toBeGreaterThan(0)
        expect(extra).toBeLessThanOrEqual(SCRIPTS.length / 100 + 1e-9)
      }),
    )
  })

  test('is judged as in English where nothing was measured: by other models, and for other scripts', () => {
    expect(calibrationForScript('Где?', ENGLISH_ALONE)).toBe(ENGLISH_ALONE)
    const greekAlone = { ...ENGLISH_ALONE, scripts: { Greek: 0.3 } }
    expect(calibrationForScript('Где?', greekAlone)).toBe(greekAlone)
    expect(calibrationForScript('Wo wohnt mein Bruder?', ENGLISH_ALONE)).toBe(ENGLISH_ALONE)
    expect(calibrationForScript('Wo wohnt mein Bruder?', greekAlone)).toBe(greekAlone)
    const vietnameseAlone = { ...ENGLISH_ALONE, scripts: { Vietnamese: 0.3 } }
    expect(calibrationForScript('Wo wohnt mein Bruder?', vietnameseAlone)).toBe(vietnameseAlone)
    expect(calibrationForScript('Em trai tôi sống ở đâu?', vietnameseAlone)).not.toBe(
      vietnameseAlone,
    )
  })
})
