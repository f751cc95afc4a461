// Brings to the store what requests leave behind besides their own writes: the counts of reads and
// the time a key was last used, and the statistics of what was asked. Collected for some milliseconds
// and written together, so that a read does not wait for a disk.
// decisions/2026-11-21-usage-of-reads.md
import type { StatisticsCount } from '../../storage/console-store.ts'
import type { KeyMonth } from '../../storage/records.ts'
import type { UsageDelta, UsageStore } from '../../storage/store.ts'
import type { Clock } from '../clock.ts'
import { dayOf } from './calendar.ts'

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
  /** Of each key in the last second, the oldest in front. */
  readonly #lastTouch = new Map<string, number>()
  #pending = new Map<string, UsageDelta>()
  /** With the store right now. */
  #underWay: ReadonlyMap<string, UsageDelta> = new Map()
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
  note({ keyId, month }: KeyMonth, operations: number): void {
    const now = this.#clock.now()
    this.#forgetTouches(now)
    if (operations === 0 && this.#lastTouch.has(keyId)) return
    this.#lastTouch.delete(keyId)
    this.#lastTouch.set(keyId, now)
    const name = nameOf({ keyId, month })
    const before = this.#pending.get(name)?.operations ?? 0
    this.#pending.set(name, { keyId, month, operations: before + operations, lastUsedAt: now })
    this.#flushIn(FLUSH_DELAY_MS)
  }

  /** Whether something was noted of it that the store has not taken. */
  holds(keyMonth: KeyMonth): boolean {
    const name = nameOf(keyMonth)
    return this.#pending.has(name) || this.#underWay.has(name)
  }

  /** How many keys take memory between their uses. */
  get remembered(): number {
    return this.#lastTouch.size
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

  #forgetTouches(now: number): void {
    for (const [keyId, atMs] of this.#lastTouch) {
      if (Math.abs(now - atMs) < TOUCH_INTERVAL_MS) return
      this.#lastTouch.delete(keyId)
    }
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
    this.#underWay = deltas
    try {
      await this.#usage.add([...deltas.values()], [...counts.values()])
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
      // They go with the next flush: a count may be late, but it is not lost. Where a database has committed
      // and only its answer was lost, these statistics count twice, rather than not at all where it has not.
      for (const [name, delta] of deltas) {
        const since = this.#pending.get(name)
        const operations = delta.operations + (since?.operations ?? 0)
        this.#pending.set(name, { ...delta, ...since, operations })
      }
      for (const count of counts.values()) this.#addCount(count)
      if (!this.#isClosing) this.#flushIn(RETRY_DELAY_MS)
    } finally {
      this.#underWay = new Map()
    }
  }
}

const nameOf = ({ keyId, month }: KeyMonth): string => `${keyId} ${month}`
