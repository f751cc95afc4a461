import { expect, test } from 'vitest'
import { isSameName, shownName } from './shown-name.ts'

test.each([
  ['production agent', 'production agent'],
  ['two words', 'two  words'],
  ['two words', ' two\n\twords '],
  ['\u00e9clair', 'e\u0301clair'],
  ['e\u0301clair', '\u00e9clair'],
  ['reversed', '\u202ereversed'],
  ['\u{1f469}\u200d\u{1f467}', '\u{1f469}\u200d\u{1f467}'],
  ['\u202e', '\u202e'],
  ['U+202E', '\u202e'],
])('%j is the name %j', (typed, name) => {
  expect(isSameName(typed, name)).toBe(true)
})

test.each([
  ['', 'production agent'],
  ['production', 'production agent'],
  ['Production agent', 'production agent'],
  ['twowords', 'two words'],
  ['eclair', '\u00e9clair'],
  ['', '\u202e'],
])('%j is not the name %j', (typed, name) => {
  expect(isSameName(typed, name)).toBe(false)
})

test.each([
  ['anna', 'anna'],
  ['a\u200bb', 'a\u200bb'],
  ['\u2764\ufe0f', '\u2764\ufe0f'],
  ['\u200b', 'U+200B'],
  ['\u3164\ufe0f \u{e0061}', 'U+3164 U+FE0F U+0020 U+E0061'],
  ['\u0007', 'U+0007'],
])('the name %j is shown as %j', (name, shown) => {
  expect(shownName(name)).toBe(shown)
})
