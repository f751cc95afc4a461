// The keys of an account: made, rotated, revoked, and the data of revoked ones purged.
import { MONTHLY_QUOTA, type Plan } from '../contract/plans.ts'
import type { Clock } from '../core/clock.ts'
import type { Identify } from '../core/ids.ts'
import { createKey, mintKey, NO_LIMITS_OF_ITS_OWN } from '../core/keys.ts'
import type { Admission } from '../core/limits/admission.ts'
import { monthOf, nextMonth } from '../core/limits/calendar.ts'
import type { UsageJournal } from '../core/limits/usage-journal.ts'
import { toTimestamp } from '../core/timestamp.ts'
import type { AccountRecord, MeteredKey, OwnedKey } from '../storage/console-store.ts'
import type { Store } from '../storage/store.ts'
import type { Key, KeyDetails, NewKey, Purge } from './contract/keys.ts'
import { ConsoleError } from './errors.ts'

const SHORT_ID_LENGTH = 6
/** How long one call of a purge works before it says how far it came. */
const PURGE_STEP_MS = 1_000

type Outside = {
  store: Store
  clock: Clock
  identify: Identify
  journal: UsageJournal
  /** Whose month it is. */
  admission: Pick<Admission, 'nowMs'>
}

export class Keys {
  readonly #store: Store
  readonly #clock: Clock
  readonly #identify: Identify
  readonly #journal: UsageJournal
  readonly #admission: Pick<Admission, 'nowMs'>

  constructor({ store, clock, identify, journal, admission }: Outside) {
    this.#store = store
    this.#clock = clock
    this.#identify = identify
    this.#journal = journal
    this.#admission = admission
  }

  async list({ id }: AccountRecord): Promise<Key[]> {
    await this.#journal.settled()
    const nowMs = await this.#admission.nowMs()
    const keys = await this.#store.console.forAccount(id).list(monthOf(nowMs))
    return keys.map((key) => toKey(key, nowMs))
  }

  /** Throws KEY_NOT_FOUND, also for a key of somebody else. */
  async find({ id: accountId }: AccountRecord, id: string): Promise<OwnedKey> {
    const key = await this.#store.console.forAccount(accountId).find(id)
    if (key === undefined) throw new ConsoleError('KEY_NOT_FOUND')
    return key
  }

  async show(key: OwnedKey): Promise<Key> {
    await this.#journal.settled()
    const nowMs = await this.#admission.nowMs()
    const used = await this.#store.usage.read({ keyId: key.id, month: monthOf(nowMs) })
    return toKey({ ...key, used }, nowMs)
  }

  async details(key: OwnedKey): Promise<KeyDetails> {
    return {
      key: await this.show(key),
      data: await this.#store.forSpace(key.spaceId).graph.counts(),
    }
  }

  async create(
    account: AccountRecord,
    { name, plan }: { name: string; plan: Plan },
  ): Promise<NewKey> {
    if (!account.plans.includes(plan)) throw new ConsoleError('PLAN_NOT_ALLOWED')
    const { id, key } = await createKey(
      { keys: this.#store.console.forAccount(account.id), identify: this.#identify },
      { name, plan, limits: NO_LIMITS_OF_ITS_OWN },
    )
    return { key: await this.show(await this.find(account, id)), secret: key }
  }

  async revoke(account: AccountRecord, id: string): Promise<Key> {
    const key = await this.#store.console.forAccount(account.id).revoke(id)
    if (key === undefined) throw new ConsoleError('KEY_NOT_FOUND')
    return this.show(key)
  }

  /** A new key for the same data. The month's usage is counted over both. */
  async rotate(account: AccountRecord, old: OwnedKey, name = old.name): Promise<NewKey> {
    const { key, stored } = mintKey(this.#identify)
    const outcome = await this.#store.console
      .forAccount(account.id)
      .replace(old.id, { name, ...stored })
    if (outcome === 'not-found') throw new ConsoleError('KEY_NOT_FOUND')
    if (outcome === 'was-replaced') throw new ConsoleError('KEY_REPLACED')
    if (outcome === 'was-purged') throw new ConsoleError('KEY_PURGED')
    return { key: await this.show(await this.find(account, stored.id)), secret: key }
  }

  async purge(account: AccountRecord, key: OwnedKey, name: string): Promise<Purge> {
    if (name !== key.name) throw new ConsoleError('NAME_DOES_NOT_MATCH')
    const keys = this.#store.console.forAccount(account.id)
    const endAtMs = this.#clock.monotonic() + PURGE_STEP_MS
    let isDone = false
    do {
      const step = await keys.purge(key.id, this.#clock.now())
      if (step === 'not-found') throw new ConsoleError('KEY_NOT_FOUND')
      if (step === 'is-active') throw new ConsoleError('KEY_ACTIVE')
      if (step === 'was-replaced') throw new ConsoleError('KEY_REPLACED')
      isDone = step.isDone
    } while (!isDone && this.#clock.monotonic() < endAtMs)
    return { isDone, remaining: await this.#store.forSpace(key.spaceId).graph.counts() }
  }
}

const toKey = (key: MeteredKey, nowMs: number): Key => ({
  id: key.id,
  shortId: key.id.slice(-SHORT_ID_LENGTH),
  name: key.name,
  prefix: key.prefix ?? null,
  plan: key.plan,
  status: key.status,
  createdAt: toTimestamp(key.createdAt),
  lastUsedAt: key.lastUsedAt === undefined ? null : toTimestamp(key.lastUsedAt),
  usage: {
    used: key.used,
    limit: MONTHLY_QUOTA[key.plan] ?? null,
    resetAt: toTimestamp(nextMonth(nowMs)),
  },
  replacedBy: key.replacedBy ?? null,
  isPurged: key.purgedAt !== undefined,
})
