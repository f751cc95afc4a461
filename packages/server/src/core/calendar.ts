// Months, by which quotas go, and days, by which requests are counted, are those of the calendar in UTC.

/** `YYYY-MM`. */
export const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7)

/** `YYYY-MM-DD`. */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** The first instant of the month after the one of `timeMs`, in milliseconds. */
export function nextMonth(timeMs: number): number {
  const time = new Date(timeMs)
  // The month is counted on from the first day: the 31st has no counterpart in every month.
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)
}
