// What a key was used for.
import { Type } from 'typebox'

/** GET /keys/:key/usage?month=2026-11 → Usage; the running month unless given. Days are UTC. */
export const UsageQuery = Type.Object({
  month: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$', allowed: 'a month such as 2026-11' }),
  ),
})
type Counts = Record<string, number>
export type UsageDay = {
  /** `2026-11-21`. */
  day: string
  /** Successful requests by OperationId, and memories.import for each imported memory. entities.list and relations.list draw on no quota. */
  operations: Counts
  /** Requests that were refused with 429. */
  rateLimited: number
  /** Other errors by code. */
  errors: Counts
}
export type Usage = {
  month: string
  /** The running one, and those before it that have figures, newest first. */
  months: string[]
  /** What drew on the quota in that month. */
  used: number
  limit: number | null
  /** When the quota of that month resets: the first instant of the next one. */
  resetAt: string
  /** Every day of the month up to today, those without a request too. */
  days: UsageDay[]
}
