import { expect, test } from 'vitest'
import { cut, excerpt } from './cut.ts'

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab🎉', 4, 'ab🎉'],
  ['ab🎉c', 3, 'ab…'],
  ['ab🎉c', 4, 'ab🎉…'],
])('%j has within %i places the excerpt %j', (text, length, expected) => {
  expect(excerpt(text, length)).toBe(expected)
})

test.each([
  ['\n\n  abc', 3, 'abc'],
  [`${' '.repeat(9)}abcd`, 3, 'abc…'],
])('the excerpt of %j begins with what can be seen of it', (text, length, expected) => {
  expect(excerpt(text, length)).toBe(expected)
})

test('neither end of a part is half a character', () => {
  expect(cut('🎉middle🎉', 1, 9)).toBe('middle')
})
