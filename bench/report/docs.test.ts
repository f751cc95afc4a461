import { expect, test } from 'vitest'
import { between } from './docs.ts'

const page = 'Words.\n<!-- bench:figures -->\n\nold\n\n<!-- /bench:figures -->\nMore words.\n'

test('what stands between the markers is replaced, and nothing else', () => {
  const renewed = between(page, 'figures', 'new')
  expect(renewed).toBe(page.replace('old', 'new'))
  expect(between(renewed, 'figures', 'new')).toBe(renewed)
})

test('a page without the markers is refused', () => {
  expect(() => between('Words.', 'figures', 'new')).toThrow('no markers')
})
