// Admission over a store that many instances share: key, window and usage come from it in one round
// trip, and nothing of them is kept here, so that a limit is exact and a revocation holds whichever
// instance serves the next request. Time is the database's.
// decisions/2026-11-21-limits-across-instances.md
import { ApiError } from '../../contract/errors.ts'
import { RATE_LIMIT_DEFAULTS, RATE_LIMIT_NONE, RATE_WINDOW_MS } from '../../contract/plans.ts'
import type { SharedLimits, SharedWindow } from '../../storage/shared-limits.ts'
import type { UsageStore } from '../../storage/store.ts'
import { hashApiKey, isApiKey } from '../api-key.ts'
import { toCaller } from '../keys.ts'
import type { Admission } from './admission.ts'
import { nextMonth } from './calendar.ts'
import { quotaOf } from './quota.ts'
import type { RateDecision } from './rate-limiter.ts'
import { SharedMeter } from './shared-meter.ts'

export const sharedAdmission = (
  limits: SharedLimits,
  usage: Pick<UsageStore, 'read'>,
): Admission => ({
  async admit(key, rateClass, network) {
    if (!isApiKey(key)) throw new ApiError('INVALID_API_KEY')
    const admission = await limits.admit({
      hash: hashApiKey(key),
      rateClass,
      limitDefault: rateClass === 'import' ? RATE_LIMIT_NONE : RATE_LIMIT_DEFAULTS[rateClass],
      windowMs: RATE_WINDOW_MS,
      network,
    })
    if (admission === undefined) throw new ApiError('INVALID_API_KEY')
    const { window, nowMs, month, used } = admission
    if (window === undefined) throw new ApiError('API_KEY_REVOKED')
    const caller = toCaller(admission.key)
    const charge = { keyId: caller.keyId, month, limit: quotaOf(caller) }
    const meter = new SharedMeter({ limits, usage }, { charge, resetAtMs: nextMonth(nowMs), used })
    return { caller, meter, rate: toDecision(window, nowMs) }
  },
  nowMs: () => limits.nowMs(),
})

const toDecision = (
  { isAllowed, limit, hits, endsAtMs }: SharedWindow,
  nowMs: number,
): RateDecision => ({
  isAllowed,
  limit,
  remaining: Math.max(0, limit - hits),
  resetAtSeconds: Math.ceil(endsAtMs / 1000),
  retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
})
