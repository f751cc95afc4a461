// Months, by which quotas go, and days, by which requests are counted, are those of the calendar in UTC.

const DAY_MS = 24 * 60 * 60 * 1000

/** The day that was asked for last. Each request asks for its own twice, and mostly it is the same. */
let known = { day: 0, text: '1970-01-01' }

/** `YYYY-MM`. */
export const monthOf = (timeMs: number): string => dayOf(timeMs).slice(0, 7)

/** `YYYY-MM-DD`. */
export function dayOf(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS)
  if (day !== known.day) known = { day, text: new Date(timeMs).toISOString().slice(0, 10) }
  return known.text
}

/** The first instant of the month after the one of `timeMs`, in milliseconds. */
export function nextMonth(timeMs: number): number {
  const time = new Date(timeMs)
  // The month is counted on from the first day: the 31st has no counterpart in every month.
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)
}
