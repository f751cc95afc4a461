// Lets a request in: whose key it is, whether its rate limit has room, and what counts its operation
// against the month. Two implementations: local-admission.ts for a store that one process has to
// itself, shared-admission.ts for one that many instances share. A caller cannot tell them apart.
// decisions/2026-11-21-limits-across-instances.md
import { ApiError } from '../../contract/errors.ts'
import type { AdmissionClass } from '../../contract/operations.ts'
import type { KeyMonth } from '../../storage/records.ts'
import type { Receipt } from '../../storage/store.ts'
import type { Caller } from '../keys.ts'
import { toTimestamp } from '../timestamp.ts'
import type { RateDecision } from './rate-limiter.ts'

export interface Admission {
  /**
   * Draws one request on the window of the key and class; a refused one is told in `rate`, and counts
   * nowhere. Throws INVALID_API_KEY or API_KEY_REVOKED; what cannot be a key reaches no store. `network`: of
   * the caller. Those of one with keys that nobody knows wait for each other.
   */
  admit(key: string, rateClass: AdmissionClass, network?: string): Promise<Admitted>
  /** By the clock that months go by, whichever instance is asked. In ms since the epoch. */
  nowMs(): Promise<number>
}

export type Admitted = { caller: Caller; meter: Meter; rate: RateDecision }

/** Counts the operation of one request against its key's month. */
export interface Meter {
  readonly keyMonth: KeyMonth
  readonly resetAtMs: number
  /**
   * Operations of the month. Once that of this request succeeded, as many as there were with it: each one
   * that succeeds is told a number of its own.
   */
  readonly used: number
  /** Runs `work` as one operation, counted when it succeeds. Throws QUOTA_EXCEEDED. */
  read<Result>(work: () => Promise<Result>): Promise<Result>
  /** The same for work that has to commit the receipt together with what it changes. */
  write<Result>(work: (receipt: Receipt) => Promise<Result>): Promise<Result>
  /** Has `used` tell what others were counted meanwhile, for an answer that one of them made. */
  lookAgain(): Promise<void>
}

export const quotaExceeded = (month: {
  used: number
  limit: number
  resetAtMs: number
}): ApiError =>
  new ApiError('QUOTA_EXCEEDED', {
    fields: {
      currentUsage: month.used,
      limit: month.limit,
      resetAt: toTimestamp(month.resetAtMs),
    },
  })
