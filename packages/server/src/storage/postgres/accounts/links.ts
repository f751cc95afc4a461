// One-time links of the console. Whoever uses a link holds its row until the use is committed, and
// with it the link is gone: of any number of uses, on any number of instances, one finds it.
import { LINK_COLUMNS, type LinkRow, toLink } from '../../console-rows.ts'
import type { LinkOutcome, LinkRecord, LinkStore, LinkUse } from '../../console-store.ts'
import { emailSpellings } from '../../email-spellings.ts'
import { bindableId } from '../bindable-id.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Statement, type Transaction } from '../connection/transaction.ts'
import { findAccount, insertAdministrator, insertMember, setPassword } from './accounts.ts'
import { endSessions, insertSession } from './sessions.ts'

const SELECT = `SELECT ${LINK_COLUMNS} FROM links`
const FIND = prepared<LinkRow>(`${SELECT} WHERE token_hash = $1 AND expires_at > $2`)
const HOLD = prepared<LinkRow>(`${SELECT} WHERE token_hash = $1 AND expires_at > $2 FOR UPDATE`)
const INVITATIONS = prepared<LinkRow>(
  `${SELECT} WHERE kind = 'invitation' AND expires_at > $1 ORDER BY created_at DESC, id DESC`,
)
const REMOVE = prepared('DELETE FROM links WHERE id = $1')
const WITHDRAW = prepared<{ id: string }>(
  "DELETE FROM links WHERE kind = 'invitation' AND id = $1 RETURNING id",
)
const EXPIRE = prepared('DELETE FROM links WHERE expires_at <= $1')

// Waits for a use of the link that gives way, and so for the account that comes of it.
const HOLD_EARLIER = prepared(
  'SELECT 1 AS held FROM links WHERE kind = $1 AND email_folded IS NOT DISTINCT FROM $2 FOR UPDATE',
)
/** The index allows a person one link of a kind, so a new one takes the place of the one before. */
const insertUnless = (condition: string) =>
  prepared(
    `INSERT INTO links
       (id, kind, token_hash, email, email_folded, plans, account_id, created_at, expires_at)
     SELECT $1, $2, $3::bytea, $4, $5, $6, $7, $8::bigint, $9::bigint WHERE NOT (${condition})
     ON CONFLICT (kind, email_folded) DO UPDATE SET id = excluded.id,
       token_hash = excluded.token_hash, email = excluded.email, plans = excluded.plans,
       account_id = excluded.account_id, created_at = excluded.created_at,
       expires_at = excluded.expires_at`,
  )
const INSERT: Record<LinkRecord['kind'], Statement<object>> = {
  'set-up': insertUnless('EXISTS (SELECT 1 FROM accounts)'),
  invitation: insertUnless(
    `NOT EXISTS (SELECT 1 FROM accounts)
     OR EXISTS (SELECT 1 FROM accounts WHERE accounts.email_folded IN ($5, $10, $11))`,
  ),
  reset: insertUnless('false'),
}

// Waits for keys that are being stored and lets no other one in, so that each key that is nobody's
// either is there to be adopted or finds the administrator.
const HOLD_KEYS = prepared('LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE')
const ADOPT_KEYS = prepared('UPDATE keys SET account_id = $1 WHERE account_id IS NULL')

async function setUp(
  transaction: Transaction,
  { account, password }: LinkUse,
): Promise<string | undefined> {
  await transaction.run(HOLD_KEYS, [])
  if (!(await insertAdministrator(transaction, { ...account, password }))) return undefined
  await transaction.run(ADOPT_KEYS, [account.id])
  return account.id
}

async function accept(
  transaction: Transaction,
  { email, plans }: LinkRecord,
  { account, password }: LinkUse,
): Promise<string | undefined> {
  const invited = { ...account, password, email: email ?? account.email, plans }
  return (await insertMember(transaction, invited)) ? account.id : undefined
}

async function reset(
  transaction: Transaction,
  { accountId }: LinkRecord,
  { password }: LinkUse,
): Promise<string | undefined> {
  if (accountId === undefined) return undefined
  await Promise.all([
    setPassword(transaction, accountId, password),
    endSessions(transaction, accountId),
  ])
  return accountId
}

async function useLink(transaction: Transaction, use: LinkUse): Promise<LinkOutcome> {
  const row = await transaction.one(HOLD, [use.tokenHash, use.now])
  if (row === undefined) return { kind: 'not-valid' }
  const link = toLink(row)
  let id: string | undefined
  if (link.kind === 'set-up') id = await setUp(transaction, use)
  else if (link.kind === 'reset') id = await reset(transaction, link, use)
  else {
    id = await accept(transaction, link, use)
    if (id === undefined) return { kind: 'email-taken' }
  }
  await transaction.run(REMOVE, [link.id])
  const account = id === undefined ? undefined : await findAccount(transaction, id)
  if (account === undefined) return { kind: 'not-valid' }
  await insertSession(transaction, { ...use.session, accountId: account.id })
  return { kind: 'used', account }
}

export const linkStore = (database: Database): LinkStore => ({
  insert: (link) =>
    database.transaction(async (transaction) => {
      const [own, person, unicode] = emailSpellings(link.email ?? '')
      const folded = link.email === undefined ? null : person
      const [, inserted] = await Promise.all([
        transaction.all(HOLD_EARLIER, [link.kind, folded]),
        transaction.run(INSERT[link.kind], [
          link.id,
          link.kind,
          link.tokenHash,
          link.email ?? null,
          folded,
          JSON.stringify(link.plans),
          link.accountId ?? null,
          link.createdAt,
          link.expiresAt,
          // An invitation alone asks whether there is an account.
          ...(link.kind === 'invitation' ? [own, unicode] : []),
        ]),
      ])
      return inserted === 1
    }),
  async find(tokenHash, now) {
    const [row] = await database.query(FIND, [tokenHash, now])
    return row && toLink(row)
  },
  use: (use) => database.transaction((transaction) => useLink(transaction, use)),
  invitations: async (now) => (await database.query(INVITATIONS, [now])).map(toLink),
  withdraw: async (id) => (await database.query(WITHDRAW, [bindableId(id)])).length === 1,
  async expire(now) {
    await database.query(EXPIRE, [now])
  },
})
