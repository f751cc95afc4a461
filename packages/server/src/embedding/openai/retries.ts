// Tries again what can succeed a moment later. The waits double, and half of each is random, so
// that callers who failed together do not come back together. A service that asks to be left alone
// for longer than anybody would wait is not asked again: whoever waits gets the failure at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { EndpointError } from './endpoint-error.ts'

type RetryOptions = {
  retries: number
  /** The first wait; the next ones double. */
  backoffMs: number
  /** No wait is longer, whoever asks for it. */
  waitMsMax: number
  signal: AbortSignal
}

export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs =
        failures > options.retries ? undefined : waitBeforeRetry(error, failures, options)
      if (waitMs === undefined) throw error
      await sleep(waitMs, undefined, { signal: options.signal })
    }
  }
}

/** Undefined when another try makes no sense. */
export function waitBeforeRetry(
  error: unknown,
  failures: number,
  { backoffMs, waitMsMax }: Pick<RetryOptions, 'backoffMs' | 'waitMsMax'>,
): number | undefined {
  if (!(error instanceof EndpointError) || !error.isTransient) return undefined
  if (error.retryAfterMs > waitMsMax) return undefined
  const backoff = Math.min(backoffMs * 2 ** (failures - 1), waitMsMax)
  return Math.max(error.retryAfterMs, backoff * (0.5 + 0.5 * Math.random()))
}
