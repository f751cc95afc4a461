import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EndpointError } from './endpoint-error.ts'
import { waitBeforeRetry } from './retries.ts'

const limits = { backoffMs: 100, waitMsMax: 5_000 }
const busy = (retryAfterMs = 0) => new EndpointError('busy', { isTransient: true, retryAfterMs })

describe('the wait before another try', () => {
  test('doubles, half of it at random, and never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (failures) => {
        const full = Math.min(100 * 2 ** (failures - 1), 5_000)
        const waitMs = waitBeforeRetry(busy(), failures, limits)
        expect(waitMs).toBeGreaterThanOrEqual(full / 2)
        expect(waitMs).toBeLessThanOrEqual(full)
      }),
    )
  })

  test('differs from caller to caller', () => {
    const waits = Array.from({ length: 20 }, () => waitBeforeRetry(busy(), 5, limits))
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  test('is no shorter than the service asks for', () => {
    expect(waitBeforeRetry(busy(4_000), 1, limits)).toBe(4_000)
  })

  test('is none when the service asks for too much, or when trying again is useless', () => {
    expect(waitBeforeRetry(busy(5_001), 1, limits)).toBeUndefined()
    expect(waitBeforeRetry(new EndpointError('wrong'), 1, limits)).toBeUndefined()
    expect(waitBeforeRetry(new Error('a bug'), 1, limits)).toBeUndefined()
  })
})
