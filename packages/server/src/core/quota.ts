// The monthly quota of a key where one process counts it, exact under any concurrency. An operation
// reserves its unit before it runs and gives it back when it fails; when the last units are reserved
// by operations that still run, the next one waits for their outcome, so that neither more nor fewer
// than the limit succeed. The count of a write is committed with the write itself.
// decisions/2026-11-21-quota-counting.md
import { MONTHLY_QUOTA } from '../contract/plans.ts'
import type { Charge, UsageStore } from '../storage/store.ts'
import { quotaExceeded } from './admission.ts'
import { monthOf, nextMonth } from './calendar.ts'
import type { Clock } from './clock.ts'
import type { Caller } from './keys.ts'

/** One key in one month. Lives as long as requests of that month do. */
export class KeyMonth {
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
    if (!hasTurn) {
      throw quotaExceeded({ used: this.#settled, limit, resetAtMs: this.resetAtMs })
    }
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
}

export class Quota {
  readonly #usage: UsageStore
  readonly #clock: Clock
  readonly #months = new Map<string, { month: string; counted: Promise<KeyMonth> }>()

  constructor(usage: UsageStore, clock: Clock) {
    this.#usage = usage
    this.#clock = clock
  }

  /** The key's month that is now. */
  monthOf({ keyId }: Caller): Promise<KeyMonth> {
    const now = this.#clock.now()
    const month = monthOf(now)
    const known = this.#months.get(keyId)
    if (known?.month === month) return known.counted
    const charge = { keyId, month }
    const counted = this.#usage
      .read(charge)
      .then((settled) => new KeyMonth(charge, nextMonth(now), settled))
    this.#months.set(keyId, { month, counted })
    // A failed read must not stick: the next request asks the store again.
    counted.catch(() => {
      if (this.#months.get(keyId)?.counted === counted) this.#months.delete(keyId)
    })
    return counted
  }
}

export const quotaOf = ({ plan }: Caller): number | undefined => MONTHLY_QUOTA[plan]
