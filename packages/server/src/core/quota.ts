// The monthly quota of a key, exact under any concurrency. An operation reserves its unit before
// it runs and gives it back when it fails; when the last units are reserved by operations that
// still run, the next one waits for their outcome, so that neither more nor fewer than the limit
// succeed. The count of a write is committed with the write itself.
// decisions/2026-11-21-quota-counting.md
import { ApiError } from '../contract/errors.ts'
import { MONTHLY_QUOTA } from '../contract/plans.ts'
import { toTimestamp } from '../contract/timestamp.ts'
import type { Charge, UsageStore } from '../storage/store.ts'
import type { Clock } from './clock.ts'
import type { Caller } from './keys.ts'
import { monthOf, nextMonth } from './month.ts'

/** One key in one month. Lives as long as requests of that month do. */
export class Meter {
  readonly charge: Charge
  readonly resetAtMs: number
  #settled: number
  #reserved = 0
  /** Told whether their turn has come, or the quota is used up. */
  readonly #waiting: ((hasTurn: boolean) => void)[] = []

  constructor(charge: Charge, resetAtMs: number, settled: number) {
    this.charge = charge
    this.resetAtMs = resetAtMs
    this.#settled = settled
  }

  /** Operations that succeeded this month. */
  get used(): number {
    return this.#settled
  }

  /** Runs `work` as one operation. Throws QUOTA_EXCEEDED when `limit` is used up. */
  async spend<Result>(limit: number | undefined, work: () => Promise<Result>): Promise<Result> {
    await this.#reserve(limit)
    let result: Result
    try {
      result = await work()
    } catch (error) {
      this.#passOn()
      throw error
    }
    this.#settle(limit)
    return result
  }

  async #reserve(limit: number | undefined): Promise<void> {
    if (limit === undefined || this.#settled + this.#reserved < limit) {
      this.#reserved += 1
      return
    }
    const hasTurn =
      this.#settled < limit && (await new Promise<boolean>((turn) => this.#waiting.push(turn)))
    if (!hasTurn) throw this.#exceeded(limit)
  }

  /** The unit of an operation that failed goes to whoever has waited longest. */
  #passOn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#reserved -= 1
    else next(true)
  }

  #settle(limit: number | undefined): void {
    this.#reserved -= 1
    this.#settled += 1
    if (limit === undefined || this.#settled < limit) return
    for (const turn of this.#waiting.splice(0)) turn(false)
  }

  #exceeded(limit: number): ApiError {
    return new ApiError('QUOTA_EXCEEDED', {
      fields: { currentUsage: this.#settled, limit, resetAt: toTimestamp(this.resetAtMs) },
    })
  }
}

export class Quota {
  readonly #usage: UsageStore
  readonly #clock: Clock
  readonly #meters = new Map<string, { month: string; meter: Promise<Meter> }>()

  constructor(usage: UsageStore, clock: Clock) {
    this.#usage = usage
    this.#clock = clock
  }

  /** The meter of the key for the month that is now. */
  meterOf({ keyId }: Caller): Promise<Meter> {
    const now = this.#clock.now()
    const month = monthOf(now)
    const known = this.#meters.get(keyId)
    if (known?.month === month) return known.meter
    const charge = { keyId, month }
    const meter = this.#usage
      .read(charge)
      .then((settled) => new Meter(charge, nextMonth(now), settled))
    this.#meters.set(keyId, { month, meter })
    // A failed read must not stick: the next request asks the store again.
    meter.catch(() => {
      if (this.#meters.get(keyId)?.meter === meter) this.#meters.delete(keyId)
    })
    return meter
  }
}

export const quotaOf = ({ plan }: Caller): number | undefined => MONTHLY_QUOTA[plan]
