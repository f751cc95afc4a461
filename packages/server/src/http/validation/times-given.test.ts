import { expect, test } from 'vitest'
import { timesGiven } from './times-given.ts'

test('headers are counted by name, whatever their letter case, and values do not count', () => {
  const headers = ['Host', 'a', 'X', 'host', 'HOST', 'b']
  expect(timesGiven(headers, 'host')).toBe(2)
  expect(timesGiven(headers, 'authorization')).toBe(0)
})
