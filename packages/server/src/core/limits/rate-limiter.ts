// Fixed windows that begin with their first request. A refused request neither counts nor extends
// the window, so a client that waits as told is served. Windows are measured with the monotonic
// clock: setting the machine's clock locks nobody out.
// decisions/2026-11-21-rate-limit-windows.md
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

export type RateDecision = {
  isAllowed: boolean
  limit: number
  remaining: number
  /** Unix time at which the window ends, rounded up. */
  resetAtSeconds: number
  /** Rounded up, at least 1: whoever waits that long is not refused again. */
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Counts one request when the limit allows it. */
  hit(bucket: string, limit: number): RateDecision
  /** What the next hit would find, without counting. */
  peek(bucket: string, limit: number): RateDecision
}

type Window = {
  /** By the monotonic clock. */
  endsAtMs: number
  /** The same moment by the machine's clock, as it was when the window began. */
  endsAtUnixMs: number
  hits: number
}

/** The two clocks differ by rounding alone; more than that means that one of them was set. */
const CLOCK_TOLERANCE_MS = 10

/** Windows in memory, for one process: a restart opens fresh ones. */
export function createFixedWindows(options: {
  clock: Clock
  windowMs: number
  /** Buckets that are remembered; the least recently used is forgotten first. */
  bucketsMax: number
}): RateLimiter {
  const { clock, windowMs } = options
  // Bounded by size, each being one: bounded by number it would take the memory of all of them at once.
  const windows = new LRUCache<string, Window>({
    maxSize: options.bucketsMax,
    sizeCalculation: () => 1,
  })

  function current(bucket: string): Window {
    const window = windows.get(bucket)
    const nowMs = clock.monotonic()
    if (window && nowMs < window.endsAtMs) return window
    return { endsAtMs: nowMs + windowMs, endsAtUnixMs: clock.now() + windowMs, hits: 0 }
  }

  function decide(window: Window, limit: number, isAllowed: boolean): RateDecision {
    const leftMs = window.endsAtMs - clock.monotonic()
    const endsAtUnixMs = clock.now() + leftMs
    // Computed anew each time, the second of the end would flicker between two requests.
    if (Math.abs(endsAtUnixMs - window.endsAtUnixMs) > CLOCK_TOLERANCE_MS) {
      window.endsAtUnixMs = endsAtUnixMs
    }
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - window.hits),
      // One more: the machine's clock leaves out a fraction of a millisecond.
      resetAtSeconds: Math.ceil((window.endsAtUnixMs + 1) / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    }
  }

  return {
    hit(bucket, limit) {
      const window = current(bucket)
      const isAllowed = window.hits < limit
      if (isAllowed) {
        if (window.hits === 0) windows.set(bucket, window)
        window.hits += 1
      }
      return decide(window, limit, isAllowed)
    },
    peek(bucket, limit) {
      const window = current(bucket)
      return decide(window, limit, window.hits < limit)
    },
  }
}
