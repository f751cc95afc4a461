// Accounts of the console, and their sessions, which begin and end with what happens to them. That
// an address has one account, and that there is one administrator, is for unique indexes to decide.
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../../console-rows.ts'
import type { AccountRecord, AccountStore, NewAccount } from '../../console-store.ts'
import { emailSpellings } from '../../email-spellings.ts'
import { bindableId } from '../bindable-id.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { endSession, endSessions, insertSession } from './sessions.ts'

const SELECT = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`
const BY_ID = prepared<AccountRow>(`${SELECT} WHERE id = $1`)
const BY_EMAIL = prepared<AccountRow>(
  `${SELECT} WHERE email_folded IN ($1, $2, $3) ORDER BY email_folded = $1 DESC LIMIT 1`,
)
const ALL = prepared<AccountRow>(`${SELECT} ORDER BY created_at, id`)
const INSERT_MEMBER = prepared(
  `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
   SELECT $1, $2, $3, 'member', $4, $5, $6::bigint
   WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE email_folded IN ($7, $8))
   ON CONFLICT (email_folded) DO NOTHING`,
)
// The condition sees what was committed; of those that find no account at the same moment, the
// index lets one through.
const INSERT_ADMINISTRATOR = prepared(
  `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
   SELECT $1, $2, $3, 'administrator', $4, $5, $6::bigint
   WHERE NOT EXISTS (SELECT 1 FROM accounts) ON CONFLICT DO NOTHING`,
)
const SET_PASSWORD = prepared('UPDATE accounts SET password = $1 WHERE id = $2')
const EXCHANGE_PASSWORD = prepared(
  'UPDATE accounts SET password = $1 WHERE id = $2 AND password = $3',
)
const HOLD_PASSWORD = prepared(
  'SELECT 1 FROM accounts WHERE id = $1 AND password = $2 FOR NO KEY UPDATE',
)
const LOCK_RESETS = prepared('SELECT 1 FROM links WHERE account_id = $1 FOR UPDATE')
const END_RESETS = prepared('DELETE FROM links WHERE account_id = $1')

/** With the spelling that all have for which the address is one, so that the index decides between them. */
const valuesOf = (account: NewAccount) => [
  account.id,
  account.email,
  emailSpellings(account.email)[1],
  JSON.stringify(account.plans),
  account.password,
  account.createdAt,
]

/** False when there is an account with the address. */
export const insertMember = async (
  transaction: Transaction,
  account: NewAccount,
): Promise<boolean> => {
  const [own, , unicode] = emailSpellings(account.email)
  return (await transaction.run(INSERT_MEMBER, [...valuesOf(account), own, unicode])) === 1
}

/** False when there is any account already. */
export const insertAdministrator = async (
  transaction: Transaction,
  account: NewAccount,
): Promise<boolean> => (await transaction.run(INSERT_ADMINISTRATOR, valuesOf(account))) === 1

const FOLD = prepared(
  `UPDATE accounts SET email_folded = $1
   WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email_folded = $1)`,
)

/** Of accounts as an archive has them: two that an earlier version let in with one address keep their own. */
export async function foldAlike(transaction: Transaction): Promise<void> {
  for (const { id, email } of await transaction.all(ALL, [])) {
    await transaction.run(FOLD, [emailSpellings(email)[1], id])
  }
}

export async function setPassword(
  transaction: Transaction,
  id: string,
  password: string,
): Promise<void> {
  await transaction.run(SET_PASSWORD, [password, id])
}

export async function findAccount(
  transaction: Transaction,
  id: string,
): Promise<AccountRecord | undefined> {
  const row = await transaction.one(BY_ID, [id])
  return row && toAccount(row)
}

export const accountStore = (database: Database): AccountStore => ({
  async find(id) {
    const [row] = await database.query(BY_ID, [bindableId(id)])
    return row && toAccount(row)
  },
  async findByEmail(email) {
    const [row] = await database.query(BY_EMAIL, emailSpellings(email))
    return row && toAccount(row)
  },
  list: async () => (await database.query(ALL, [])).map(toAccount),
  insert: (account, session) =>
    database.transaction(async (transaction) => {
      if (!(await insertMember(transaction, account))) return 'email-taken'
      await insertSession(transaction, session)
      return 'inserted'
    }),
  signIn: (session, { compared, renewed = compared }) =>
    database.transaction(async (transaction) => {
      // Holds the account: a change at the same moment ends this session, or comes before it.
      const exchange = [renewed, session.accountId, compared]
      if ((await transaction.run(EXCHANGE_PASSWORD, exchange)) === 0) return false
      await insertSession(transaction, session)
      return true
    }),
  changePassword: (session, { asker, compared, changed }) =>
    database.transaction(async (transaction) => {
      const id = session.accountId
      // Links before the account, as the use of a link locks them. The account before its sessions:
      // of two changes the later one ends the session that the earlier one began.
      const [, held] = await Promise.all([
        transaction.run(LOCK_RESETS, [id]),
        transaction.run(HOLD_PASSWORD, [id, compared]),
      ])
      if (held === 0) return 'outdated'
      if (!(await endSession(transaction, id, asker))) return 'signed-out'
      await Promise.all([
        setPassword(transaction, id, changed),
        transaction.run(END_RESETS, [id]),
        endSessions(transaction, id),
        insertSession(transaction, session),
      ])
      return 'changed'
    }),
})
