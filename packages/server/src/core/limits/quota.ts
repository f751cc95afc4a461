// The monthly quota of a key where one process counts it, exact under any concurrency. An operation
// reserves its unit before it runs and gives it back when it fails; when the last units are reserved
// by operations that still run, the next one waits for their outcome, so that neither more nor fewer
// than the limit succeed. The count of a write is committed with the write itself. A key and the one that
// replaces it count together, also what the old one still has under way. A month that was not
// used for an hour, and of which the store knows all, takes no memory.
// decisions/2026-11-21-quota-counting.md, decisions/2026-11-21-usage-of-reads.md
import { MONTHLY_QUOTA } from '../../contract/plans.ts'
import type { SpaceId } from '../../storage/records.ts'
import type { UsageStore } from '../../storage/store.ts'
import type { Clock } from '../clock.ts'
import type { Caller } from '../keys.ts'
import { quotaExceeded } from './admission.ts'
import { monthOf, nextMonth } from './calendar.ts'
import type { UsageJournal } from './usage-journal.ts'

/** A space in a month. It may have had several keys, each in the place of the one before. */
export class SpaceMonth {
  readonly month: string
  readonly resetAtMs: number
  #settled: number
  #reserved = 0
  /** Told whether their turn has come, or the quota is used up. Each has the limit that its key had when it came. */
  #waiting: { limit: number; tell: (hasTurn: boolean) => void }[] = []

  constructor({ month, resetAtMs, used }: { month: string; resetAtMs: number; used: number }) {
    this.month = month
    this.resetAtMs = resetAtMs
    this.#settled = used
  }

  /** Operations that succeeded this month. */
  get used(): number {
    return this.#settled
  }

  /** Whether no operation is under way. Then none waits either, and all that was counted was told. */
  get isAtRest(): boolean {
    return this.#reserved === 0
  }

  /**
   * Runs `work` as one operation. `used` counts it, and is told to no other one. Throws QUOTA_EXCEEDED when
   * `limit` is used up.
   */
  async spend<Result>(
    limit: number | undefined,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; used: number }> {
    await this.#reserve(limit)
    try {
      const result = await work()
      this.#settled += 1
      return { result, used: this.#settled }
    } finally {
      this.#reserved -= 1
      this.#tellWaiting()
    }
  }

  async #reserve(limit: number | undefined): Promise<void> {
    if (limit === undefined || this.#settled + this.#reserved < limit) {
      this.#reserved += 1
      return
    }
    const hasTurn =
      this.#settled < limit &&
      (await new Promise<boolean>((tell) => this.#waiting.push({ limit, tell })))
    if (!hasTurn) {
      throw quotaExceeded({ used: this.#settled, limit, resetAtMs: this.resetAtMs })
    }
  }

  /** The unit of an operation that failed goes to whoever has waited longest. */
  #tellWaiting(): void {
    this.#waiting = this.#waiting.filter(({ limit, tell }) => {
      const hasTurn = this.#settled + this.#reserved < limit
      if (!hasTurn && this.#settled < limit) return true
      if (hasTurn) this.#reserved += 1
      tell(hasTurn)
      return false
    })
  }
}

/** Far longer than a request lives: no request still has a month that was not asked for in this time. */
const FORGET_AFTER_MS = 60 * 60 * 1000
/** With each request, which adds one at most; and too few to hold up others. */
const FORGOTTEN_AT_ONCE = 4

type Known = {
  month: string
  counted: Promise<SpaceMonth>
  spaceMonth?: SpaceMonth
  /** Keys that asked for it. */
  keyIds: string[]
  usedAtMs: number
}

export class Quota {
  readonly #usage: UsageStore
  readonly #journal: Pick<UsageJournal, 'holds'>
  readonly #clock: Clock
  /**
   * By space and month, the one that was not used for longest in front. A clock that is set back into the
   * month before finds that one as it is: the store has not been told all of it yet.
   */
  readonly #months = new Map<string, Known>()

  /** The reads that `journal` holds are counted here, and not in the store yet. */
  constructor(usage: UsageStore, journal: Pick<UsageJournal, 'holds'>, clock: Clock) {
    this.#usage = usage
    this.#journal = journal
    this.#clock = clock
  }

  /** How many months of spaces take memory: those of the last hour. */
  get remembered(): number {
    return this.#months.size
  }

  /** The month that is now. */
  monthOf(caller: Caller): Promise<SpaceMonth> {
    const { keyId, spaceId } = caller
    const now = this.#clock.now()
    const name = nameOf(spaceId, monthOf(now))
    const known = this.#months.get(name) ?? this.#read(caller, now)
    if (!known.keyIds.includes(keyId)) known.keyIds.push(keyId)
    this.#putLast(name, known)
    this.#forgetUnused()
    return known.counted
  }

  #read({ keyId, spaceId }: Caller, now: number): Known {
    const month = monthOf(now)
    const counted = this.#usage.read({ keyId, month }).then((used) => {
      known.spaceMonth = new SpaceMonth({ month, resetAtMs: nextMonth(now), used })
      return known.spaceMonth
    })
    const known: Known = { month, counted, keyIds: [keyId], usedAtMs: 0 }
    // A failed read must not stick: the next request asks the store again.
    counted.catch(() => this.#months.delete(nameOf(spaceId, month)))
    return known
  }

  #putLast(name: string, known: Known): void {
    known.usedAtMs = this.#clock.monotonic()
    this.#months.delete(name)
    this.#months.set(name, known)
  }

  /** Whoever comes back later begins with what the store has counted, which is all by then. */
  #forgetUnused(): void {
    const beforeMs = this.#clock.monotonic() - FORGET_AFTER_MS
    let looked = 0
    for (const [name, known] of this.#months) {
      looked += 1
      if (known.usedAtMs > beforeMs || looked > FORGOTTEN_AT_ONCE) return
      if (this.#isInStore(known)) this.#months.delete(name)
      else this.#putLast(name, known)
    }
  }

  #isInStore({ month, spaceMonth, keyIds }: Known): boolean {
    const isHeld = (keyId: string): boolean => this.#journal.holds({ keyId, month })
    return spaceMonth?.isAtRest === true && !keyIds.some(isHeld)
  }
}

const nameOf = (space: SpaceId, month: string): string => `${space} ${month}`

export const quotaOf = ({ plan }: Caller): number | undefined => MONTHLY_QUOTA[plan]
