// A key's month, day by day. Counted as the API answered, in UTC like the quota.
import { MONTHLY_QUOTA } from '../contract/plans.ts'
import { ERROR_KIND, errorKind } from '../contract/statistics.ts'
import type { Admission } from '../core/limits/admission.ts'
import { dayOf, monthOf, nextMonth } from '../core/limits/calendar.ts'
import type { UsageJournal } from '../core/limits/usage-journal.ts'
import { toTimestamp } from '../core/timestamp.ts'
import type { OwnedKey } from '../storage/console-store.ts'
import type { Store } from '../storage/store.ts'
import type { Usage, UsageDay } from './contract/usage.ts'

const STATISTICS_MONTHS = 13
const DAY_MS = 24 * 60 * 60 * 1000
const RATE_LIMITED = errorKind('RATE_LIMIT_EXCEEDED')

type Outside = {
  store: Store
  journal: UsageJournal
  /** Whose month it is. */
  admission: Pick<Admission, 'nowMs'>
}

export class UsageReport {
  readonly #store: Store
  readonly #journal: UsageJournal
  readonly #admission: Pick<Admission, 'nowMs'>

  constructor({ store, journal, admission }: Outside) {
    this.#store = store
    this.#journal = journal
    this.#admission = admission
  }

  /** Of the running month unless another one is named. */
  async ofMonth(key: OwnedKey, named?: string): Promise<Usage> {
    await this.#journal.settled()
    const nowMs = await this.#admission.nowMs()
    const running = monthOf(nowMs)
    const month = named ?? running
    const { statistics } = this.#store.console
    const beginMs = Date.parse(`${month}-01`)
    const endMs = nextMonth(beginMs)
    const days = daysBetween(beginMs, Math.min(endMs - 1, nowMs))
    const range = { from: `${month}-01`, to: dayOf(endMs - 1) }
    for (const { day, kind, count } of await statistics.read(key.id, range)) {
      const figures = days.get(day) ?? emptyDay(day)
      days.set(day, figures)
      if (kind === RATE_LIMITED) figures.rateLimited += count
      else if (kind.startsWith(ERROR_KIND)) figures.errors[kind.slice(ERROR_KIND.length)] = count
      else figures.operations[kind] = count
    }
    // A clock that was ahead for a while, or is on another instance, has counted in a later one.
    const past = (await statistics.months(key.id)).filter((each) => each < running)
    return {
      month,
      months: [running, ...past],
      used: await this.#store.usage.read({ keyId: key.id, month }),
      limit: MONTHLY_QUOTA[key.plan] ?? null,
      resetAt: toTimestamp(endMs),
      days: [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    }
  }

  /** Forgets what is older than thirteen months. */
  async sweep(nowMs: number): Promise<void> {
    const now = new Date(nowMs)
    const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - STATISTICS_MONTHS + 1, 1)
    await this.#store.console.statistics.expire(dayOf(oldest))
  }
}

const emptyDay = (day: string): UsageDay => ({ day, operations: {}, rateLimited: 0, errors: {} })

function daysBetween(fromMs: number, toMs: number): Map<string, UsageDay> {
  const days = new Map<string, UsageDay>()
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += DAY_MS) {
    days.set(dayOf(timeMs), emptyDay(dayOf(timeMs)))
  }
  return days
}
