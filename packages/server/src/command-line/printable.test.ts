import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableJson } from './printable.ts'

/** Clears the screen on some terminals; writes from right to left, and ends that. */
const HOSTILE = 'a\u009b2J\u001b[2J\u202ecba\u202c \u2066d\u2069 \u200f\u007f'
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/u

test('a text on a terminal has no command for it, and nothing that turns it around', () => {
  expect(printable(HOSTILE)).toBe('a�2J�[2J�cba� �d� ��')
  expect(printable('Żółć, 記憶, العربية 👩‍👧')).toBe('Żółć, 記憶, العربية 👩‍👧')
})

test('JSON on a terminal has neither, and says the same', () => {
  expect(printableJson({ name: 'a\u009b2J\u202e' })).toBe('{"name":"a\\u009b2J\\u202e"}')
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constant({ [HOSTILE]: [HOSTILE] })), (value) => {
      const text = printableJson(value)
      expect(text).not.toMatch(OBEYED)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
