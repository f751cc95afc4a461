// Ranges of lines are read as they are printed: what one import prints, the next can be given.
import { expect, test } from 'vitest'
import { lineRangesText, parseLineRanges } from './line-ranges.ts'

test.each([
  ['95', '95'],
  ['95,97-101', '95,97-101'],
  ['97-101,95', '95,97-101'],
  ['1-3,2,4,6-9,7-8', '1-4,6-9'],
])('%s is %s', (given, told) => {
  expect(lineRangesText(parseLineRanges(given) ?? [])).toBe(told)
})

test.each(['', '0', '1,', '3-2', '1-', '-1', '1 - 2', 'a', '1.5', '1-0', '1-2-3'])(
  '"%s" says no lines',
  (text) => {
    expect(parseLineRanges(text)).toBeUndefined()
  },
)
