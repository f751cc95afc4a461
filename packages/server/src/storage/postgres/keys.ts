// Keys and the spaces that they open.
import {
  CHANGEABLE_KEY_COLUMNS,
  changedKeyValues,
  KEY_COLUMNS,
  type KeyOrigin,
  type KeyRow,
  NEW_KEY_COLUMNS,
  newKeyValues,
  toKey,
} from '../record-rows.ts'
import type { KeyChange, KeyRecord, NewKey, SpaceId } from '../records.ts'
import type { KeyStore } from '../store.ts'
import type { Database } from './connection/database.ts'
import { LOCKS } from './connection/locks.ts'
import { prepared, type Transaction } from './connection/transaction.ts'

const BY_HASH = prepared<KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys WHERE hash = $1`)
const ALL = prepared<KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys ORDER BY created_at DESC, id DESC`)
const REVOKE = prepared<KeyRow>(
  `UPDATE keys SET status = 'revoked' WHERE id = $1 RETURNING ${KEY_COLUMNS}`,
)
const BY_ID = prepared<KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = $1 FOR UPDATE`)
const CHANGE = prepared<KeyRow>(
  `UPDATE keys SET (${CHANGEABLE_KEY_COLUMNS}) = ($1, $2, $3, $4) WHERE id = $5
   RETURNING ${KEY_COLUMNS}`,
)
const OPEN_SPACE = prepared<{ no: SpaceId }>(
  'INSERT INTO spaces (created_at) VALUES ($1) RETURNING no',
)
// A key that is nobody's is the administrator's, once there is one.
const INSERT = prepared(
  `INSERT INTO keys (${NEW_KEY_COLUMNS}, status)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
     COALESCE($12, (SELECT id FROM accounts WHERE role = 'administrator')), 'active')`,
)

/** With a new space, unless it replaces a key. */
export async function insertKey(
  transaction: Transaction,
  key: NewKey,
  origin: KeyOrigin = {},
): Promise<void> {
  const space = origin.replaces?.spaceId ?? (await transaction.one(OPEN_SPACE, [key.createdAt]))?.no
  if (space === undefined) throw new Error('A space was not opened.')
  await transaction.run(INSERT, newKeyValues(key, space, origin))
}

export async function revokeKey(
  transaction: Transaction,
  id: string,
): Promise<KeyRecord | undefined> {
  const row = await transaction.one(REVOKE, [id])
  return row && toKey(row)
}

async function changeKey(
  transaction: Transaction,
  id: string,
  change: KeyChange,
): Promise<KeyRecord | undefined> {
  const row = await transaction.one(BY_ID, [id])
  if (row === undefined) return undefined
  const changed = await transaction.one(CHANGE, [...changedKeyValues(toKey(row), change), id])
  return changed && toKey(changed)
}

const LOCK_FIRST = prepared(`SELECT pg_advisory_xact_lock(${LOCKS.firstKey})`)
const ANY = prepared('SELECT 1 FROM keys LIMIT 1')

export const keyStore = (database: Database): KeyStore => ({
  insert: (key) => database.transaction((transaction) => insertKey(transaction, key)),
  insertFirst: (key) =>
    database.transaction(async (transaction) => {
      await transaction.one(LOCK_FIRST, [])
      if ((await transaction.one(ANY, [])) !== undefined) return false
      await insertKey(transaction, key)
      return true
    }),
  async findByHash(hash) {
    const [row] = await database.query(BY_HASH, [hash])
    return row && toKey(row)
  },
  list: async () => (await database.query(ALL, [])).map(toKey),
  change: (id, change) => database.transaction((transaction) => changeKey(transaction, id, change)),
  revoke: (id) => database.transaction((transaction) => revokeKey(transaction, id)),
})
