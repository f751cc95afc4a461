// Which failures a request is tried again for, and after how long. Repeating is safe: creates carry an
// Idempotency-Key, and whatever else there is ends in the same state. Not repeated is what would fail again:
// refusals of the request, an exhausted quota (403), a full storage (507), an answer of somebody else.
// decisions/2026-11-27-typescript-client.md
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'

const PASSING_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]
/** Of these nothing was carried out: the request did not arrive, or was not let in. */
const WITHOUT_EFFECT: readonly number[] = [408, 429]
const LONGEST_WAIT_MS = 60_000
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 8_000

/**
 * How long to wait after the failure of a try, of which there were `failures` before; undefined when there
 * is no point in another. A wait that was asked for is kept exactly, or is too long to hold up the caller.
 */
export function waitBeforeRetryMs(
  error: unknown,
  failures: number,
  random: () => number,
): number | undefined {
  if (!isPassing(error)) return undefined
  if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
    const askedMs = error.retryAfterSeconds * 1000
    return askedMs <= LONGEST_WAIT_MS ? askedMs : undefined
  }
  // Up to a quarter less, so that clients that failed together do not come back together.
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS) * (1 - random() / 4)
}

/** Whether nobody here knows that the failed try was not carried out. */
export const isDoubtful = (error: unknown): boolean =>
  isPassing(error) && !(error instanceof ApiError && WITHOUT_EFFECT.includes(error.status))

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && PASSING_STATUSES.includes(error.status))
