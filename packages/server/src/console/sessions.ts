// Sessions: a cookie of 256 random bits that is new at every sign-in, ends after 30 minutes without
// a request and after 12 hours at most, and ends on the server when somebody signs out.
// decisions/2026-11-21-console-accounts.md
import type { Clock } from '../core/clock.ts'
import type { Identify } from '../core/ids.ts'
import type {
  AccountRecord,
  SessionRecord,
  SessionStore,
  ShownSession,
} from '../storage/console-store.ts'
import { SESSION_IDLE_MINUTES, SESSION_LIFE_HOURS } from './contract/sessions.ts'
import { createSessionToken, hashToken } from './secrets.ts'

const SESSION_IDLE_MS = SESSION_IDLE_MINUTES * 60 * 1000
const SESSION_LIFE_MS = SESSION_LIFE_HOURS * 60 * 60 * 1000
/** How exact "last seen" is. A session may end this much earlier than promised, never later. */
const TOUCH_INTERVAL_MS = 60 * 1000
const USER_AGENT_LENGTH_MAX = 300

/** Where a request comes from. The network is the address, or more of them that one party may well hold. */
export type Visitor = { address: string; network: string; userAgent: string }

export type SignedInAs = { account: AccountRecord; session: ShownSession }
export type NewSession = { token: string; session: Omit<SessionRecord, 'accountId'> }

export class Sessions {
  readonly #store: SessionStore
  readonly #clock: Clock
  readonly #identify: Identify
  readonly #onError: (error: unknown) => void

  constructor(
    store: SessionStore,
    outside: { clock: Clock; identify: Identify; onError: (error: unknown) => void },
  ) {
    this.#store = store
    this.#clock = outside.clock
    this.#identify = outside.identify
    this.#onError = outside.onError
  }

  /** A session that is still to be stored, and the only copy of its token. */
  begin({ address, userAgent }: Pick<Visitor, 'address' | 'userAgent'>): NewSession {
    const token = createSessionToken()
    const { id, createdAt } = this.#identify('ses')
    const session = {
      id,
      tokenHash: hashToken(token),
      createdAt,
      lastSeenAt: createdAt,
      endsAt: createdAt + SESSION_LIFE_MS,
      address,
      userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    }
    return { token, session }
  }

  /**
   * `token`: of the request's cookie, if it has one. `isActivity`: whether the request shows that somebody is
   * there, not only an open page. `network`: where it comes from.
   */
  async find(
    token: string | undefined,
    { isActivity, network }: { isActivity: boolean; network?: string },
  ): Promise<SignedInAs | undefined> {
    if (token === undefined) return undefined
    const found = await this.#store.findByHash(hashToken(token), network)
    const now = this.#clock.now()
    if (found === undefined || !isAlive(found.session, now)) return undefined
    if (isActivity && now - found.session.lastSeenAt >= TOUCH_INTERVAL_MS) {
      // Where nothing can be written, reading still works.
      await this.#store.touch(found.session.id, now).catch(this.#onError)
    }
    return found
  }

  async list(accountId: string): Promise<ShownSession[]> {
    const now = this.#clock.now()
    return (await this.#store.list(accountId)).filter((session) => isAlive(session, now))
  }

  end(accountId: string, id: string): Promise<boolean> {
    return this.#store.end(accountId, id)
  }

  endOthers(accountId: string, id: string): Promise<void> {
    return this.#store.endOthers(accountId, id)
  }

  /** Forgets those that ended by themselves. */
  async sweep(now: number): Promise<void> {
    await this.#store.expire({ lastSeenAt: now - SESSION_IDLE_MS, endsAt: now })
  }
}

/** By the clock as it is: set back by an hour, a session that was used before lasts an hour longer. */
const isAlive = ({ lastSeenAt, endsAt }: ShownSession, now: number): boolean =>
  now < endsAt && now - lastSeenAt < SESSION_IDLE_MS
