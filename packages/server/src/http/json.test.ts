import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test.each(['1e-400', '-1e-400', '1E-0999', '2e-324', `0.${'0'.repeat(400)}1`, '1e400'])(
  '%s, which no double can hold, is not taken for another number',
  (text) => {
    expect(Number.isFinite(parseJson(text))).toBe(false)
    expect(parseJson(`{"deep": [${text}]}`)).not.toEqual({ deep: [0] })
  },
)

test.each([
  '0',
  '-0',
  '0e-400',
  '0.0e-999',
  `0.${'0'.repeat(400)}`,
  '5e-324',
  '"1e-400"',
  '1.5e-300',
])('%s is what it says', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})
