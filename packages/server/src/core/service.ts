// Everything that a request can need, made once from the outside world: store, model and clock.
import { RATE_WINDOW_MS } from '../contract/plans.ts'
import type { Store } from '../storage/store.ts'
import type { Clock } from './clock.ts'
import { Forgetting } from './forget.ts'
import { Idempotency } from './idempotency.ts'
import { createIdentify, type Identify } from './ids.ts'
import type { Admission } from './limits/admission.ts'
import { localAdmission } from './limits/local-admission.ts'
import { createFixedWindows, type RateLimiter } from './limits/rate-limiter.ts'
import { sharedAdmission } from './limits/shared-admission.ts'
import { UsageJournal } from './limits/usage-journal.ts'
import { Memories } from './memories.ts'
import type { ModelInUse } from './model-in-use.ts'

export type Service = {
  readonly store: Store
  readonly model: ModelInUse
  readonly identify: Identify
  readonly clock: Clock
  readonly memories: Memories
  readonly forgetting: Forgetting
  readonly idempotency: Idempotency
  readonly usageJournal: UsageJournal
  /** Keys, their rate limits and their quotas. */
  readonly admission: Admission
  /** By address, for those who have no valid key; of this instance alone. */
  readonly failedAuthentications: RateLimiter
}

type Outside = {
  store: Store
  model: ModelInUse
  clock: Clock
  /** Hears of failures that no request waits for. */
  onBackgroundError: (error: unknown) => void
}

export function createService(outside: Outside): Service {
  const { store, model, clock, onBackgroundError } = outside
  const usageJournal = new UsageJournal(store.usage, clock, onBackgroundError)
  return {
    store,
    model,
    identify: createIdentify(clock),
    clock,
    memories: new Memories(model),
    forgetting: new Forgetting(clock),
    idempotency: new Idempotency(store.idempotency, clock),
    usageJournal,
    admission:
      store.sharedLimits === undefined
        ? localAdmission(store, { clock, usageJournal })
        : sharedAdmission(store.sharedLimits, store.usage),
    failedAuthentications: createFixedWindows({
      clock,
      windowMs: RATE_WINDOW_MS,
      bucketsMax: 100_000,
    }),
  }
}
