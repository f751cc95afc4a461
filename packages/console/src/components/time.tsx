// Times in the reader's zone; the exact one in UTC is on hover and in the markup. How long ago something
// was goes on being true in a page that stays open.
import { useSyncExternalStore } from 'react'

/** Months and days are the contract's: in another calendar a month of usage would have the name of none. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, calendar: 'gregory' })

const FULL = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
const DATE = dateFormat({ dateStyle: 'medium' })
// Words within English sentences, which numbers and dates are not. Never "yesterday": what is 47 hours old
// was so on another day.
const RELATIVE = new Intl.RelativeTimeFormat('en')
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function Time({ at, as = 'full' }: { at: string; as?: 'full' | 'date' | 'ago' }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={utc(at)}>
      {as === 'full' ? FULL.format(date) : as === 'date' ? DATE.format(date) : <Ago date={date} />}
    </time>
  )
}

function Ago({ date }: { date: Date }) {
  useSyncExternalStore(everyTick, () => tick)
  return ago(date)
}

const TICK_MS = 20_000
let tick = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One timer for all times of the page. */
function everyTick(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    tick += 1
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
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
