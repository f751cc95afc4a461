// Who may use the console: signing up, signing in, passwords, and what comes of a one-time link.
// Every way in ends with a session that did not exist before.
// decisions/2026-11-21-console-accounts.md
import { ApiError } from '../contract/errors.ts'
import { PLANS } from '../contract/plans.ts'
import type { Clock } from '../core/clock.ts'
import type { Identify } from '../core/ids.ts'
import type { AccountRecord, ConsoleStore, LinkRecord } from '../storage/console-store.ts'
import { emailSpellings } from '../storage/email-spellings.ts'
import { ConsoleError } from './errors.ts'
import { MEMBER_PLANS } from './links.ts'
import type { Passwords } from './passwords.ts'
import { hashToken } from './secrets.ts'
import type { NewSession, Sessions, SignedInAs, Visitor } from './sessions.ts'
import type { Throttle } from './throttle.ts'

/** A new session, with the only copy of its token. */
export type Entry = SignedInAs & { token: string }

type Outside = {
  store: ConsoleStore
  clock: Clock
  identify: Identify
  passwords: Passwords
  sessions: Sessions
  throttle: Throttle
}

export class Accounts {
  readonly #store: ConsoleStore
  readonly #clock: Clock
  readonly #identify: Identify
  readonly #passwords: Passwords
  readonly #sessions: Sessions
  readonly #throttle: Throttle
  #isSetUp = false

  constructor({ store, clock, identify, passwords, sessions, throttle }: Outside) {
    this.#store = store
    this.#clock = clock
    this.#identify = identify
    this.#passwords = passwords
    this.#sessions = sessions
    this.#throttle = throttle
  }

  /** Accounts never vanish: once there is one, there is one. */
  async isSetUp(): Promise<boolean> {
    this.#isSetUp ||= (await this.#store.accounts.list()).length > 0
    return this.#isSetUp
  }

  /** Throws WRONG_CREDENTIALS after the same time, whether or not there is such an account. */
  signIn(email: string, password: string, visitor: Visitor): Promise<Entry> {
    const [, address] = emailSpellings(email)
    return this.#guarded(address, visitor, 'WRONG_CREDENTIALS', async (isExpected) => {
      const account = await this.#store.accounts.findByEmail(email)
      const applicant = { network: visitor.network, isExpected }
      const isRight = await this.#passwords.verify(password, account?.password, applicant)
      if (!isRight || account === undefined) return undefined
      const renewed = this.#passwords.isOutdated(account.password)
        ? { renewed: await this.#passwords.hash(password, applicant) }
        : {}
      const begun = this.#sessions.begin(visitor)
      const session = { ...begun.session, accountId: account.id }
      const compared = { compared: account.password, ...renewed }
      const isBegun = await this.#store.accounts.signIn(session, compared)
      return isBegun ? toEntry(account, begun) : undefined
    })
  }

  async signUp(email: string, password: string, visitor: Visitor): Promise<Entry> {
    // A first account comes from the set-up link alone.
    if (!(await this.isSetUp())) throw new ConsoleError('SIGN_UP_CLOSED')
    if (await this.#store.accounts.findByEmail(email)) throw new ConsoleError('EMAIL_TAKEN')
    const { id, createdAt } = this.#identify('acc')
    const stranger = { network: visitor.network, isExpected: false }
    const hash = await this.#passwords.hash(password, stranger)
    const account = { id, email, plans: [...MEMBER_PLANS], password: hash, createdAt }
    const begun = this.#sessions.begin(visitor)
    const session = { ...begun.session, accountId: id }
    const outcome = await this.#store.accounts.insert(account, session)
    if (outcome === 'email-taken') throw new ConsoleError('EMAIL_TAKEN')
    return toEntry({ ...account, role: 'member' }, begun)
  }

  /**
   * All sessions of the account end; the one that is returned takes the place of the one that asks. If that
   * was signed out meanwhile, nothing is changed: it would be signed in again.
   */
  changePassword(
    { account, session: asking }: SignedInAs,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    visitor: Visitor,
  ): Promise<Entry> {
    const applicant = { network: visitor.network, isExpected: true }
    return this.#guarded(account.id, visitor, 'WRONG_PASSWORD', async () => {
      const isRight = await this.#passwords.verify(currentPassword, account.password, applicant)
      if (!isRight) return undefined
      const password = await this.#passwords.hash(newPassword, applicant)
      const begun = this.#sessions.begin(visitor)
      const session = { ...begun.session, accountId: account.id }
      const change = { asker: asking.id, compared: account.password, changed: password }
      const outcome = await this.#store.accounts.changePassword(session, change)
      if (outcome === 'signed-out') throw new ConsoleError('NOT_SIGNED_IN')
      return outcome === 'changed' ? toEntry({ ...account, password }, begun) : undefined
    })
  }

  async lookAtLink(token: string): Promise<LinkRecord> {
    const link = await this.#store.links.find(hashToken(token), this.#clock.now())
    if (link === undefined) throw new ConsoleError('LINK_NOT_VALID')
    return link
  }

  async useLink(
    { token, email, password }: { token: string; email?: string | undefined; password: string },
    visitor: Visitor,
  ): Promise<Entry> {
    // Looked at first: a token that opens nothing should not cost a hash.
    const link = await this.lookAtLink(token)
    const address = link.email ?? email
    if (address === undefined) {
      throw new ApiError('VALIDATION_ERROR', {
        message: 'email must be an e-mail address.',
        fields: { field: 'email' },
      })
    }
    const invited = { network: visitor.network, isExpected: true }
    const hash = await this.#passwords.hash(password, invited)
    const begun = this.#sessions.begin(visitor)
    const { id, createdAt } = this.#identify('acc')
    const outcome = await this.#store.links.use({
      tokenHash: hashToken(token),
      now: this.#clock.now(),
      password: hash,
      account: { id, email: address, plans: [...PLANS], createdAt },
      session: begun.session,
    })
    if (outcome.kind === 'email-taken') throw new ConsoleError('EMAIL_TAKEN')
    if (outcome.kind === 'not-valid') throw new ConsoleError('LINK_NOT_VALID')
    return toEntry(outcome.account, begun)
  }

  async find(id: string): Promise<AccountRecord> {
    const account = await this.#store.accounts.find(id)
    if (account === undefined) throw new ConsoleError('ACCOUNT_NOT_FOUND')
    return account
  }

  /** Runs a comparison of passwords when its turn has come; `run` gives undefined for a wrong one. */
  async #guarded(
    account: string,
    { address }: Visitor,
    code: 'WRONG_CREDENTIALS' | 'WRONG_PASSWORD',
    run: (isFamiliar: boolean) => Promise<Entry | undefined>,
  ): Promise<Entry> {
    const entry = await this.#throttle.attempt({ account, address }, async (isFamiliar) => {
      const result = await run(isFamiliar)
      return { succeeded: result !== undefined, result }
    })
    if (entry === undefined) throw new ConsoleError(code)
    return entry
  }
}

const toEntry = (account: AccountRecord, { token, session }: NewSession): Entry => {
  const { tokenHash: _, ...shown } = session
  return { account, token, session: { ...shown, accountId: account.id } }
}
