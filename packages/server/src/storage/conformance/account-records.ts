// Accounts of the console, their sessions and one-time links as the suites store them: each is another one.
import { createHash } from 'node:crypto'
import type { LinkUse, NewAccount, NewLink, SessionRecord } from '../console-store.ts'
import type { Subject } from './subject.ts'

/** When links are made and used, and sessions begin. */
export const NOW = 1_900_000_000_000
let made = 0

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export function accountOf(fields: Partial<NewAccount> = {}): NewAccount {
  made += 1
  return {
    id: `acc_${String(made).padStart(6, '0')}`,
    email: `Person${made}@Example.com`,
    plans: ['free', 'hobby'],
    password: `hash ${made}`,
    createdAt: 1_800_000_000_000 + made,
    ...fields,
  }
}

export function sessionOf(accountId: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  made += 1
  return {
    id: `ses_${String(made).padStart(6, '0')}`,
    accountId,
    tokenHash: hashOf(`session ${made}`),
    createdAt: NOW + made,
    lastSeenAt: NOW + made,
    endsAt: NOW + 1_000_000,
    address: '127.0.0.1',
    userAgent: 'Ünïcode/1.0',
    ...fields,
  }
}

/** An invitation, unless the fields say something else. */
export function linkOf(fields: Partial<NewLink> = {}): NewLink {
  made += 1
  return {
    id: `lnk_${String(made).padStart(6, '0')}`,
    kind: 'invitation',
    email: `invited${made}@example.com`,
    plans: ['free'],
    accountId: undefined,
    createdAt: NOW,
    expiresAt: NOW + 1000,
    tokenHash: hashOf(`link ${made}`),
    ...fields,
  }
}

export const setUpLinkOf = (): NewLink => linkOf({ kind: 'set-up', email: undefined })

export const resetOf = ({ id, email }: NewAccount): NewLink =>
  linkOf({ kind: 'reset', email, accountId: id })

/** Makes an account of a link. */
export function useOf({ tokenHash }: NewLink, now = NOW): LinkUse {
  const { password, ...account } = accountOf()
  const { accountId: _, ...session } = sessionOf('')
  return { tokenHash, now, password, account, session }
}

/** An account that is stored, with its session. */
export async function newMember({ store }: Subject, fields: Partial<NewAccount> = {}) {
  const account = accountOf(fields)
  const session = sessionOf(account.id)
  const outcome = await store.console.accounts.insert(account, session)
  if (outcome !== 'inserted') throw new Error(`The account was not stored: ${outcome}.`)
  return { account, session }
}
