// Time is injected, so that a test can stand at the last millisecond of a month without waiting.

export type Clock = {
  /** Milliseconds since the epoch. May jump when the machine's clock is set. */
  now(): number
  /** Milliseconds that only grow, for measuring how long something lasts. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
