import { afterEach, expect, test, vi } from 'vitest'
import { dayOf, monthOf, nextMonth } from './calendar.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  ['2027-01-31T12:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2100-02-28T23:59:59.999Z', '2100-02', '2100-03-01T00:00:00.000Z'],
])('%s lies in %s, which ends at %s', (time, month, end) => {
  expect(monthOf(Date.parse(time))).toBe(month)
  expect(new Date(nextMonth(Date.parse(time))).toISOString()).toBe(end)
})

test.each(['Pacific/Kiritimati', 'America/Los_Angeles'])(
  'days and months are those of UTC, also on a machine in the time zone %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    for (const [time, day, end] of [
      ['2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
      ['2027-01-01T00:00:00.000Z', '2027-01-01', '2027-02-01T00:00:00.000Z'],
    ] as const) {
      const timeMs = Date.parse(time)
      expect([dayOf(timeMs), monthOf(timeMs)]).toEqual([day, day.slice(0, 7)])
      expect(new Date(nextMonth(timeMs)).toISOString()).toBe(end)
    }
  },
)

test('240 months follow each other without a gap', () => {
  let start = Date.UTC(2020, 0, 1)
  for (let count = 0; count < 240; count += 1) {
    const end = nextMonth(start)
    const [year, month] = [2020 + Math.floor(count / 12), (count % 12) + 1]
    expect(monthOf(start)).toBe(`${year}-${String(month).padStart(2, '0')}`)
    expect(monthOf(end - 1)).toBe(monthOf(start))
    expect(monthOf(end)).not.toBe(monthOf(start))
    expect(nextMonth(end - 1)).toBe(end)
    start = end
  }
})
