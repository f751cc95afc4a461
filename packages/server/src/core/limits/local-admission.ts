// Admission where one process has the store to itself: windows and meters in memory, keys from the
// store with every request, since the command line may revoke one at any moment.
// decisions/2026-11-21-rate-limit-windows.md, decisions/2026-11-21-usage-of-reads.md
import { RATE_LIMIT_NONE, RATE_WINDOW_MS } from '../../contract/plans.ts'
import type { Store } from '../../storage/store.ts'
import type { Clock } from '../clock.ts'
import { type Caller, findCaller } from '../keys.ts'
import type { Admission, Meter } from './admission.ts'
import { Quota, quotaOf, type SpaceMonth } from './quota.ts'
import { createFixedWindows } from './rate-limiter.ts'
import type { UsageJournal } from './usage-journal.ts'

const BUCKETS_MAX = 1_000_000

export function localAdmission(
  store: Store,
  { clock, usageJournal }: { clock: Clock; usageJournal: UsageJournal },
): Admission {
  const quota = new Quota(store.usage, usageJournal, clock)
  const windows = createFixedWindows({ clock, windowMs: RATE_WINDOW_MS, bucketsMax: BUCKETS_MAX })

  const meterOf = (caller: Caller, month: SpaceMonth): Meter => {
    const keyMonth = { keyId: caller.keyId, month: month.month }
    const limit = quotaOf(caller)
    /** With the last operation of this request. */
    let used: number | undefined
    const spend = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const spent = await month.spend(limit, work)
      used = spent.used
      return spent.result
    }
    return {
      keyMonth,
      resetAtMs: month.resetAtMs,
      get used() {
        return used ?? month.used
      },
      async read(work) {
        const result = await spend(work)
        usageJournal.note(keyMonth, 1)
        return result
      },
      write: (work) => spend(() => work({ charge: keyMonth })),
      // Nobody else counts: `used` is what there is now.
      lookAgain: async () => undefined,
    }
  }

  return {
    async admit(key, rateClass) {
      const caller = await findCaller(store.keys, key)
      const month = await quota.monthOf(caller)
      const limit = rateClass === 'import' ? RATE_LIMIT_NONE : caller.rateLimits[rateClass]
      const rate = windows.hit(`${caller.keyId} ${rateClass}`, limit)
      return { caller, meter: meterOf(caller, month), rate }
    },
    nowMs: async () => clock.now(),
  }
}
