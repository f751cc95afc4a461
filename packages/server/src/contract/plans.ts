// What each plan allows a month, and the rate limits that a key has unless it carries its own.
import type { RateClass } from './operations.ts'

export const PLANS = ['free', 'hobby', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/** Operations in a calendar month (UTC); `undefined` means that nothing is refused. */
export const MONTHLY_QUOTA: Readonly<Record<Plan, number | undefined>> = {
  free: 1_000,
  hobby: 50_000,
  enterprise: undefined,
}

export const RATE_WINDOW_MS = 60_000
export const RATE_LIMIT_DEFAULTS: Readonly<Record<RateClass, number>> = {
  read: 100,
  write: 50,
  search: 30,
}

/** What the limit `none` is on the wire: a number, as the contract wants, that nobody reaches. */
export const RATE_LIMIT_NONE = 1_000_000_000

/** Failed authentications that one address may have in a window. */
export const FAILED_AUTHENTICATIONS_MAX = 20
