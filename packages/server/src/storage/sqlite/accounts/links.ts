// One-time links of the console. A link is used by deleting it, so it can be used once.
import { LINK_COLUMNS, type LinkRow, toLink } from '../../console-rows.ts'
import type { LinkKind, LinkOutcome, LinkRecord, LinkUse, NewLink } from '../../console-store.ts'
import { emailSpellings } from '../../email-spellings.ts'
import type { Connection } from '../opening/open-database.ts'
import { accountReads, accountWrites } from './accounts.ts'
import { sessionWrites } from './sessions.ts'

export function linkReads(db: Connection) {
  const byHash = db.prepare<[Buffer, number], LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM links WHERE token_hash = ? AND expires_at > ?`,
  )
  const invitations = db.prepare<[number], LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM links WHERE kind = 'invitation' AND expires_at > ?
     ORDER BY created_at DESC, id DESC`,
  )
  return {
    find(tokenHash: Buffer, now: number): LinkRecord | undefined {
      const row = byHash.get(Buffer.from(tokenHash), now)
      return row && toLink(row)
    },
    invitations: (now: number): LinkRecord[] => invitations.all(now).map(toLink),
  }
}

export function linkWrites(db: Connection) {
  const accounts = accountWrites(db)
  const sessions = sessionWrites(db)
  const { findByEmail, find: findAccount } = accountReads(db)
  const { find } = linkReads(db)
  const anyAccount = db.prepare<[], number>('SELECT 1 FROM accounts LIMIT 1').pluck()
  const insert = db.prepare(
    `INSERT INTO links (id, kind, token_hash, email, plans, account_id, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const ofKind = db.prepare<[LinkKind], { id: string; email: string | null }>(
    'SELECT id, email FROM links WHERE kind = ?',
  )
  const remove = db.prepare<[string]>('DELETE FROM links WHERE id = ?')
  const adoptKeys = db.prepare<[string]>('UPDATE keys SET account_id = ? WHERE account_id IS NULL')
  const withdraw = db.prepare<[string]>("DELETE FROM links WHERE kind = 'invitation' AND id = ?")
  const expire = db.prepare<[number]>('DELETE FROM links WHERE expires_at <= ?')

  /** A person has one link of a kind. Compared here: SQLite knows the cases of ASCII letters alone. */
  function supersede(kind: LinkKind, email: string | undefined): void {
    const [, person] = emailSpellings(email ?? '')
    for (const earlier of ofKind.all(kind)) {
      if (emailSpellings(earlier.email ?? '')[1] === person) remove.run(earlier.id)
    }
  }

  /** The account that comes of the link, or undefined when somebody was faster. */
  function accountOf(link: LinkRecord, { account, password }: LinkUse): string | undefined {
    if (link.kind === 'reset') {
      if (link.accountId === undefined) return undefined
      accounts.setPassword(link.accountId, password)
      sessions.endAll(link.accountId)
      return link.accountId
    }
    const made = { ...account, password }
    if (link.kind === 'set-up') {
      if (!accounts.insertAdministrator(made)) return undefined
      adoptKeys.run(made.id)
      return made.id
    }
    const invited = { ...made, email: link.email ?? made.email, plans: link.plans }
    return accounts.insertMember(invited) ? made.id : undefined
  }

  return {
    insert(link: NewLink): boolean {
      const hasAccount = anyAccount.get() !== undefined
      if (link.kind === 'set-up' && hasAccount) return false
      if (link.kind === 'invitation' && (!hasAccount || findByEmail(link.email ?? ''))) return false
      supersede(link.kind, link.email)
      insert.run(
        link.id,
        link.kind,
        Buffer.from(link.tokenHash),
        link.email ?? null,
        JSON.stringify(link.plans),
        link.accountId ?? null,
        link.createdAt,
        link.expiresAt,
      )
      return true
    },
    use(use: LinkUse): LinkOutcome {
      const link = find(use.tokenHash, use.now)
      if (link === undefined) return { kind: 'not-valid' }
      const id = accountOf(link, use)
      if (id === undefined && link.kind === 'invitation') return { kind: 'email-taken' }
      remove.run(link.id)
      const account = id === undefined ? undefined : findAccount(id)
      if (account === undefined) return { kind: 'not-valid' }
      sessions.insert({ ...use.session, accountId: account.id })
      return { kind: 'used', account }
    },
    withdraw: (id: string): boolean => withdraw.run(id).changes === 1,
    expire(now: number): void {
      expire.run(now)
    },
  }
}
