// Times in the reader's zone, with the exact time in UTC as a tooltip and in the markup. "3 minutes ago" is
// kept up to date while the page stays open.
import { useSyncExternalStore } from 'react'

/** Always Gregorian, as the contract's months are: a month of usage may span two of another calendar. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, calendar: 'gregory' })

const FULL = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
const DATE = dateFormat({ dateStyle: 'medium' })
// In English, unlike numbers and dates: these are words within English sentences. Never "yesterday", which
// 47 hours ago may not have been.
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

/** Subscribes to ticks; all times on the page share one timer. */
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
  // The server's clock may be a little ahead: that counts as now.
  const seconds = Math.min(0, date.getTime() - now) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  if (Math.abs(seconds) >= 30 * 86_400) return DATE.format(date)
  for (const [unit, size] of STEPS) {
    // Rounded down, so that it is never "60 minutes ago" or "24 hours ago".
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit)
  }
  return RELATIVE.format(Math.sign(seconds), 'minute')
}
