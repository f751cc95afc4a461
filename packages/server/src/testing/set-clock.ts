// A clock that stands still until a test moves it.
import type { Clock } from '../core/clock.ts'

export type SetClock = Clock & {
  /** Time passes, on both clocks. */
  pass(ms: number): void
  /** Somebody sets the machine's clock; how long things last stays as it was. */
  step(ms: number): void
}

export function setClock(startMs = Date.UTC(2026, 10, 21)): SetClock {
  let nowMs = startMs
  let monotonicMs = 0.25
  return {
    // Like the real one, it leaves out fractions.
    now: () => Math.floor(nowMs),
    monotonic: () => monotonicMs,
    pass(ms) {
      nowMs += ms
      monotonicMs += ms
    },
    step(ms) {
      nowMs += ms
    },
  }
}
