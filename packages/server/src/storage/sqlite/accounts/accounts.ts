// Accounts of the console, and their sessions, which begin and end with what happens to them.
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../../console-rows.ts'
import type {
  AccountRecord,
  NewAccount,
  PasswordChange,
  SessionRecord,
} from '../../console-store.ts'
import { emailSpellings } from '../../email-spellings.ts'
import type { Connection } from '../opening/open-database.ts'
import { sessionWrites } from './sessions.ts'

const SELECT = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`

/** The spelling that all have for which the address is one. */
const keptAs = (email: string): string => emailSpellings(email)[1]

/** Of accounts as an archive has them: two that an earlier version let in with one address keep their own. */
export function foldAlike(db: Connection): void {
  const fold = db.prepare<[string, string]>(
    'UPDATE OR IGNORE accounts SET email_folded = ? WHERE id = ?',
  )
  const all = db.prepare<[], { id: string; email: string }>('SELECT id, email FROM accounts')
  for (const { id, email } of all.all()) fold.run(keptAs(email), id)
}

export function accountReads(db: Connection) {
  const byId = db.prepare<[string], AccountRow>(`${SELECT} WHERE id = ?`)
  const byEmail = db.prepare<string[], AccountRow>(
    `${SELECT} WHERE email_folded IN (?, ?, ?) ORDER BY email_folded = ? DESC LIMIT 1`,
  )
  const all = db.prepare<[], AccountRow>(`${SELECT} ORDER BY created_at, id`)
  return {
    find(id: string): AccountRecord | undefined {
      const row = byId.get(id)
      return row && toAccount(row)
    },
    findByEmail(email: string): AccountRecord | undefined {
      const spellings = emailSpellings(email)
      const row = byEmail.get(...spellings, spellings[0])
      return row && toAccount(row)
    },
    list: (): AccountRecord[] => all.all().map(toAccount),
  }
}

const valuesOf = (account: NewAccount) => [
  account.id,
  account.email,
  keptAs(account.email),
  JSON.stringify(account.plans),
  account.password,
  account.createdAt,
]

export function accountWrites(db: Connection) {
  const sessions = sessionWrites(db)
  const { findByEmail } = accountReads(db)
  const insert = db.prepare(
    `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
     VALUES (?, ?, ?, 'member', ?, ?, ?)`,
  )
  const insertFirst = db.prepare(
    `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
     SELECT ?, ?, ?, 'administrator', ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM accounts)`,
  )
  const setPassword = db.prepare<[string, string]>('UPDATE accounts SET password = ? WHERE id = ?')
  const exchangePassword = db.prepare<[string, string, string]>(
    'UPDATE accounts SET password = ? WHERE id = ? AND password = ?',
  )
  const hasPassword = db.prepare<[string, string]>(
    'SELECT 1 FROM accounts WHERE id = ? AND password = ?',
  )
  const endResets = db.prepare<[string]>('DELETE FROM links WHERE account_id = ?')
  const insertMember = (account: NewAccount): boolean =>
    findByEmail(account.email) === undefined && insert.run(...valuesOf(account)).changes === 1
  return {
    insertMember,
    /** False when there is any account already. */
    insertAdministrator: (account: NewAccount): boolean =>
      insertFirst.run(...valuesOf(account)).changes === 1,
    insert(account: NewAccount, session: SessionRecord): 'inserted' | 'email-taken' {
      if (!insertMember(account)) return 'email-taken'
      sessions.insert(session)
      return 'inserted'
    },
    setPassword(id: string, password: string): void {
      setPassword.run(password, id)
    },
    signIn(
      session: SessionRecord,
      { compared, renewed = compared }: { compared: string; renewed?: string },
    ): boolean {
      if (exchangePassword.run(renewed, session.accountId, compared).changes === 0) return false
      sessions.insert(session)
      return true
    },
    changePassword(
      session: SessionRecord,
      { asker, compared, changed }: { asker: string; compared: string; changed: string },
    ): PasswordChange {
      const id = session.accountId
      if (hasPassword.get(id, compared) === undefined) return 'outdated'
      if (!sessions.end(id, asker)) return 'signed-out'
      setPassword.run(changed, id)
      endResets.run(id)
      sessions.endAll(id)
      sessions.insert(session)
      return 'changed'
    },
  }
}
