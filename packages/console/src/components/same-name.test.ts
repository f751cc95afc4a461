import { expect, test } from 'vitest'
import { isSameName } from './same-name.ts'

test.each([
  ['production agent', 'production agent'],
  ['two words', 'two  words'],
  ['two words', ' two\n\twords '],
  ['\u00e9clair', 'e\u0301clair'],
  ['e\u0301clair', '\u00e9clair'],
  ['reversed', '\u202ereversed'],
  ['\u{1f469}\u200d\u{1f467}', '\u{1f469}\u200d\u{1f467}'],
  ['\u202e', '\u202e'],
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
