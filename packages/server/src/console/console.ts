// Everything that a request of the console can need, besides what core offers to /v1.
import { setTimeout as pause } from 'node:timers/promises'
import { createFixedWindows, type RateLimiter } from '../core/limits/rate-limiter.ts'
import type { Service } from '../core/service.ts'
import { Accounts } from './accounts.ts'
import { Keys } from './keys.ts'
import { LinkIssue } from './links.ts'
import { type PasswordCost, Passwords } from './passwords.ts'
import { Sessions } from './sessions.ts'
import { Throttle, type Wait } from './throttle.ts'
import { UsageReport } from './usage.ts'

const REQUESTS_WINDOW_MS = 60_000
/** For a session; generous, it only stops what runs wild. */
export const SESSION_REQUESTS_MAX = 600
/** For an address, of requests that need no session. */
export const ADDRESS_REQUESTS_MAX = 120

export type Console = {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly links: LinkIssue
  readonly keys: Keys
  readonly usage: UsageReport
  readonly requests: RateLimiter
  /** Forgets what has run out. */
  sweep(): Promise<void>
}

type ConsoleOptions = {
  onBackgroundError: (error: unknown) => void
  /** Cheaper ones, and a wait that does not wait, for tests. */
  passwordCost?: PasswordCost | undefined
  wait?: Wait | undefined
}

export function createConsole(service: Service, options: ConsoleOptions): Console {
  const { store, clock, identify, usageJournal: journal, admission } = service
  const sessions = new Sessions(store.console.sessions, {
    clock,
    identify,
    onError: options.onBackgroundError,
  })
  const accounts = new Accounts({
    store: store.console,
    clock,
    identify,
    passwords: new Passwords(options.passwordCost),
    sessions,
    throttle: new Throttle(clock, options.wait ?? ((ms) => pause(ms))),
  })
  const usage = new UsageReport({ store, journal, admission })
  return {
    accounts,
    sessions,
    links: new LinkIssue(store.console.links, identify),
    keys: new Keys({ store, clock, identify, journal, admission }),
    usage,
    requests: createFixedWindows({ clock, windowMs: REQUESTS_WINDOW_MS, bucketsMax: 100_000 }),
    async sweep() {
      // What an instance whose clock is ahead removed would be gone for all others, too.
      const now = Math.min(clock.now(), await admission.nowMs())
      await sessions.sweep(now)
      await store.console.links.expire(now)
      await usage.sweep(now)
    },
  }
}
