// Sessions of the console: found by the hash of their cookie alone, gone when they end.
import {
  type AccountRow,
  SESSION_COLUMNS,
  type SessionRow,
  toAccount,
  toSession,
} from '../../console-rows.ts'
import type { SessionRecord, SessionStore } from '../../console-store.ts'
import { bindableId } from '../bindable-id.ts'
import type { Database } from '../connection/database.ts'
import { Strangers } from '../connection/strangers.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'

type SessionWithAccountRow = SessionRow &
  Omit<AccountRow, 'id' | 'created_at'> & { account_created_at: number }

const BY_HASH = prepared<SessionWithAccountRow>(
  `SELECT sessions.id, account_id, sessions.created_at, last_seen_at, ends_at, address, user_agent,
     email, role, plans, password, accounts.created_at AS account_created_at
   FROM sessions JOIN accounts ON accounts.id = account_id WHERE token_hash = $1`,
)
const OF_ACCOUNT = prepared<SessionRow>(
  `SELECT ${SESSION_COLUMNS} FROM sessions WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
)
const INSERT = prepared(
  `INSERT INTO sessions
     (id, account_id, token_hash, created_at, last_seen_at, ends_at, address, user_agent)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const TOUCH = prepared('UPDATE sessions SET last_seen_at = $1 WHERE id = $2 AND last_seen_at < $1')
const END = prepared<{ id: string }>(
  'DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING id',
)
const END_OTHERS = prepared('DELETE FROM sessions WHERE account_id = $1 AND id <> $2')
const END_ALL = prepared('DELETE FROM sessions WHERE account_id = $1')
const EXPIRE = prepared('DELETE FROM sessions WHERE ends_at < $1 OR last_seen_at < $2')

export async function insertSession(
  transaction: Transaction,
  session: SessionRecord,
): Promise<void> {
  await transaction.run(INSERT, [
    session.id,
    session.accountId,
    session.tokenHash,
    session.createdAt,
    session.lastSeenAt,
    session.endsAt,
    session.address,
    session.userAgent,
  ])
}

/** Whether there was such a session of the account. */
export const endSession = async (
  transaction: Transaction,
  accountId: string,
  id: string,
): Promise<boolean> => (await transaction.run(END, [accountId, id])) === 1

/** All of the account. */
export async function endSessions(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.run(END_ALL, [accountId])
}

export function sessionStore(database: Database): SessionStore {
  const strangers = new Strangers()
  return {
    async findByHash(tokenHash, network) {
      const asker = strangers.askerOf(tokenHash, { name: tokenHash.toString('base64'), network })
      const [row] = await database.query(BY_HASH, [tokenHash], asker)
      if (row === undefined) return undefined
      strangers.meet(tokenHash)
      const { account_id: id, account_created_at: created_at } = row
      return { session: toSession(row), account: toAccount({ ...row, id, created_at }) }
    },
    list: async (accountId) =>
      (await database.query(OF_ACCOUNT, [accountId], accountId)).map(toSession),
    async touch(id, lastSeenAt) {
      await database.query(TOUCH, [lastSeenAt, id])
    },
    end: async (accountId, id) =>
      (await database.query(END, [accountId, bindableId(id)])).length === 1,
    async endOthers(accountId, id) {
      await database.query(END_OTHERS, [accountId, id])
    },
    async expire({ lastSeenAt, endsAt }) {
      await database.query(EXPIRE, [endsAt, lastSeenAt])
    },
  }
}
