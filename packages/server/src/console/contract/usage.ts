// What a key was used for.
import { type Static, Type } from 'typebox'
import { Timestamp } from '../../contract/timestamp.ts'
import { nullable } from './fields.ts'

/** GET /keys/:key/usage?month=2026-11 → Usage; the running month unless given. Days are UTC. */
export const UsageQuery = Type.Object({
  month: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$', allowed: 'a month such as 2026-11' }),
  ),
})
export type UsageQuery = Static<typeof UsageQuery>
const Counts = Type.Record(Type.String(), Type.Integer())
export const UsageDay = Type.Object({
  /** `2026-11-21`. */
  day: Type.String(),
  /** Successful requests by OperationId, and memories.import for each imported memory. entities.list and relations.list draw on no quota. */
  operations: Counts,
  /** Requests that were refused with 429. */
  rateLimited: Type.Integer(),
  /** Other errors by code. */
  errors: Counts,
})
export type UsageDay = Static<typeof UsageDay>
export const Usage = Type.Object({
  month: Type.String(),
  /** Months that have figures and the running one, newest first. */
  months: Type.Array(Type.String()),
  /** What drew on the quota in that month. */
  used: Type.Integer(),
  limit: nullable(Type.Integer()),
  /** When the quota of that month resets: the first instant of the next one. */
  resetAt: Timestamp,
  /** Every day of the month up to today, those without a request too. */
  days: Type.Array(UsageDay),
})
export type Usage = Static<typeof Usage>
