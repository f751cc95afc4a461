// Brings to the store what requests leave behind besides their own writes: the counts of reads and
// the time a key was last used, and the statistics of what was asked. Collected for some milliseconds
// and written together, so that a read does not wait for a disk.
// decisions/2026-11-21-usage-of-reads.md
import type { StatisticsCount } from '../storage/console-store.ts'
import type { Charge, UsageDelta, UsageStore } from '../storage/store.ts'
import { dayOf } from './calendar.ts'
import type { Clock } from './clock.ts'

const FLUSH_DELAY_MS = 25
const RETRY_DELAY_MS = 1_000
/** Statistics alone are no reason to hurry: a crash may cost a second of them. */
const STATISTICS_DELAY_MS = 1_000
/** How exact "last used" is. */
const TOUCH_INTERVAL_MS = 1_000

export class UsageJournal {
  readonly #usage: UsageStore
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #lastTouch = new Map<string, number>()
  #pending = new Map<string, UsageDelta>()
  #counts = new Map<string, StatisticsCount>()
  #timer: NodeJS.Timeout | undefined
  #flushAtMs = Number.POSITIVE_INFINITY
  #flushing: Promise<void> = Promise.resolve()
  #isClosing = false
  /** Since the store last took something. */
  #hasFailed = false

  /** `onError` hears of the first of failures in a row, since on a full disk they come every second. */
  constructor(usage: UsageStore, clock: Clock, onError: (error: unknown) => void) {
    this.#usage = usage
    this.#clock = clock
    this.#onError = onError
  }

  /** Notes that the key was used, with the operations that no write commits. */
  note(charge: Charge, operations: number): void {
    const now = this.#clock.now()
    const lastTouch = this.#lastTouch.get(charge.keyId) ?? 0
    if (operations === 0 && Math.abs(now - lastTouch) < TOUCH_INTERVAL_MS) return
    this.#lastTouch.set(charge.keyId, now)
    const name = `${charge.keyId} ${charge.month}`
    const before = this.#pending.get(name)?.operations ?? 0
    this.#pending.set(name, { charge, operations: before + operations, lastUsedAt: now })
    this.#flushIn(FLUSH_DELAY_MS)
  }

  /** Counts a request by what came of it; `kind` is never a text of a caller. */
  count(keyId: string, kind: string): void {
    this.#addCount({ keyId, day: dayOf(this.#clock.now()), kind, count: 1 })
    this.#flushIn(STATISTICS_DELAY_MS)
  }

  /** Resolves when everything noted so far was brought to the store, or could not be. */
  settled(): Promise<void> {
    this.#startFlush()
    return this.#flushing
  }

  /** The same, and the last try. */
  close(): Promise<void> {
    this.#isClosing = true
    return this.settled()
  }

  #addCount(added: StatisticsCount): void {
    const name = `${added.keyId} ${added.day} ${added.kind}`
    const before = this.#counts.get(name)?.count ?? 0
    this.#counts.set(name, { ...added, count: before + added.count })
  }

  /** A flush that is due earlier stays where it is. */
  #flushIn(delayMs: number): void {
    const atMs = this.#clock.monotonic() + delayMs
    if (this.#timer !== undefined && this.#flushAtMs <= atMs) return
    clearTimeout(this.#timer)
    this.#flushAtMs = atMs
    this.#timer = setTimeout(() => this.#startFlush(), delayMs)
  }

  #startFlush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.then(() => this.#flush())
  }

  async #flush(): Promise<void> {
    const deltas = this.#pending
    const counts = this.#counts
    if (deltas.size === 0 && counts.size === 0) return
    this.#pending = new Map()
    this.#counts = new Map()
    try {
      await this.#usage.add([...deltas.values()], [...counts.values()])
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
      // They go with the next flush: a count may be late, but it is not lost.
      for (const [name, delta] of deltas) {
        const since = this.#pending.get(name)
        const operations = delta.operations + (since?.operations ?? 0)
        this.#pending.set(name, { ...delta, ...since, operations })
      }
      for (const count of counts.values()) this.#addCount(count)
      if (!this.#isClosing) this.#flushIn(RETRY_DELAY_MS)
    }
  }
}
