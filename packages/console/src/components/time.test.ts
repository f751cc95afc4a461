import { expect, test } from 'vitest'
import { ago } from './time.tsx'

const NOW = Date.parse('2026-11-22T12:00:00Z')

test.each([
  [30, 'just now'],
  [50, '1 minute ago'],
  [59 * 60 + 50, '59 minutes ago'],
  [23 * 3_600 + 3_599, '23 hours ago'],
  [86_400, '1 day ago'],
  // The day before yesterday, for most of the day.
  [47 * 3_600, '1 day ago'],
])('what was %d seconds ago is said in whole units', (seconds, text) => {
  expect(ago(new Date(NOW - seconds * 1_000), NOW)).toBe(text)
})
