// One-time links: the set-up of the first account, invitations, and new passwords for those who
// forgot theirs. The token stands behind the # of the address, which browsers send to nobody.
// decisions/2026-11-21-console-accounts.md
import { PLANS, type Plan } from '../contract/plans.ts'
import type { Identify } from '../core/ids.ts'
import type { AccountRecord, ConsoleStore, LinkKind } from '../storage/console-store.ts'
import { createLinkToken, hashToken } from './secrets.ts'

const MINUTE_MS = 60 * 1000
export const LINK_LIFE_MS: Readonly<Record<LinkKind, number>> = {
  'set-up': 30 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
}

/** What an invited account may choose unless the invitation says more. */
export const MEMBER_PLANS: readonly Plan[] = ['free']

export type Issued = { id: string; token: string; email: string | undefined; expiresAt: number }

export const linkAddress = (baseAddress: string, token: string): string =>
  `${baseAddress}/console/link#${token}`

export class LinkIssue {
  readonly #links: Pick<ConsoleStore['links'], 'insert'>
  readonly #identify: Identify

  constructor(links: Pick<ConsoleStore['links'], 'insert'>, identify: Identify) {
    this.#links = links
    this.#identify = identify
  }

  /** Undefined when there is an account already. */
  setUp(): Promise<Issued | undefined> {
    return this.#issue('set-up', { plans: [...PLANS] })
  }

  /** Undefined when somebody with this address has an account, or nobody has one at all. */
  invite(email: string, plans: Plan[] = [...MEMBER_PLANS]): Promise<Issued | undefined> {
    return this.#issue('invitation', { email, plans: [...new Set(plans)] })
  }

  async reset({ id, email, plans }: AccountRecord): Promise<Issued> {
    const issued = await this.#issue('reset', { email, plans, accountId: id })
    if (issued === undefined) throw new Error('A reset link is never refused.')
    return issued
  }

  async #issue(
    kind: LinkKind,
    whom: { email?: string; plans: Plan[]; accountId?: string },
  ): Promise<Issued | undefined> {
    const token = createLinkToken()
    const { id, createdAt } = this.#identify('lnk')
    const expiresAt = createdAt + LINK_LIFE_MS[kind]
    const { email, plans, accountId } = whom
    const link = { id, kind, email, plans, accountId, createdAt, expiresAt }
    const isStored = await this.#links.insert({ ...link, tokenHash: hashToken(token) })
    return isStored ? { id, token, email, expiresAt } : undefined
  }
}
