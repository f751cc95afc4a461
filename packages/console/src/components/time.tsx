// Times in the reader's zone; the exact one in UTC is on hover and in the markup.
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
// Words within English sentences, which numbers and dates are not.
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function Time({ at, as = 'full' }: { at: string; as?: 'full' | 'date' | 'ago' }) {
  const date = new Date(at)
  const text = as === 'full' ? FULL.format(date) : as === 'date' ? DATE.format(date) : ago(date)
  return (
    <time dateTime={at} title={utc(at)}>
      {text}
    </time>
  )
}

const utc = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`

export function ago(date: Date, now = Date.now()): string {
  // A server whose clock is a little ahead has not seen the future.
  const seconds = Math.min(0, date.getTime() - now) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  if (Math.abs(seconds) >= 30 * 86_400) return DATE.format(date)
  for (const [unit, size] of STEPS) {
    // Whole ones: never 60 minutes or 24 hours ago.
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit)
  }
  return RELATIVE.format(Math.sign(seconds), 'minute')
}
