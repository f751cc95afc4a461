// The keys of an account: every statement carries the account, so that no id reaches further. What
// replaces or purges a key holds its row, and looks at it only then: a statement that waits for a
// row sees everything else as it was before the wait.
import { OWNED_KEY_COLUMNS, type OwnedKeyRow, toOwnedKey } from '../../console-rows.ts'
import type { AccountKeyStore, MeteredKey, OwnedKey } from '../../console-store.ts'
import { bindableId } from '../bindable-id.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { insertKey, revokeKey } from '../keys.ts'
import { removeSomeRecords } from '../purge.ts'
import { oneByItself } from '../search/plans.ts'
import { holdSpaceAlone } from '../spaces-in-use.ts'

type MeteredRow = OwnedKeyRow & { used: number }

const OWN_KEY = 'WHERE account_id = $1 AND id = $2'

const FIND = prepared<OwnedKeyRow>(`SELECT ${OWNED_KEY_COLUMNS} FROM keys ${OWN_KEY}`)
// The weaker lock lets the usage of the key be counted meanwhile.
const HOLD = prepared(`SELECT 1 AS held FROM keys ${OWN_KEY} FOR NO KEY UPDATE`)
const REVOKE = prepared<OwnedKeyRow>(
  `UPDATE keys SET status = 'revoked' ${OWN_KEY} RETURNING ${OWNED_KEY_COLUMNS}`,
)
const MARK_PURGED = prepared('UPDATE keys SET purged_at = $1 WHERE space_no = $2')
const OPERATIONS = `COALESCE(
  (SELECT operations FROM usage WHERE usage.key_id = keys.id AND month = $2), 0)`
// A key has used what it has itself, and what the one that it replaced had. Each line is walked once, from its
// first key on: one that was replaced a thousand times would be half a million steps from each of its keys.
const LIST = prepared<MeteredRow>(
  `WITH RECURSIVE metered (key_id, used) AS (
     SELECT id, ${OPERATIONS} FROM keys WHERE account_id = $1 AND replaces_id IS NULL
     UNION ALL
     SELECT id, used + ${OPERATIONS}
     FROM metered ${oneByItself('SELECT id FROM keys WHERE replaces_id = metered.key_id', 'keys')})
   SELECT ${OWNED_KEY_COLUMNS}, used
   FROM metered ${oneByItself('SELECT * FROM keys WHERE id = metered.key_id', 'keys')}
   WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
)

const toMetered = (row: MeteredRow): MeteredKey => ({ ...toOwnedKey(row), used: row.used })

/** As it is once nobody else can change, replace or purge it. */
async function lockKey(
  transaction: Transaction,
  accountId: string,
  id: string,
): Promise<OwnedKey | undefined> {
  const [, row] = await Promise.all([
    transaction.one(HOLD, [accountId, bindableId(id)]),
    transaction.one(FIND, [accountId, bindableId(id)]),
  ])
  return row && toOwnedKey(row)
}

export function accountKeyStore(database: Database, accountId: string): AccountKeyStore {
  async function find(id: string): Promise<OwnedKey | undefined> {
    const [row] = await database.query(FIND, [accountId, bindableId(id)], accountId)
    return row && toOwnedKey(row)
  }
  return {
    find,
    list: async (month) =>
      (await database.query(LIST, [accountId, month], accountId)).map(toMetered),
    insert: (key) =>
      database.transaction((transaction) => insertKey(transaction, key, { accountId })),
    async revoke(id) {
      const [row] = await database.query(REVOKE, [accountId, bindableId(id)])
      return row && toOwnedKey(row)
    },
    replace: (id, key) =>
      database.transaction(async (transaction) => {
        const old = await lockKey(transaction, accountId, id)
        if (old === undefined) return 'not-found'
        if (old.replacedBy !== undefined) return 'was-replaced'
        if (old.purgedAt !== undefined) return 'was-purged'
        const { plan, limits, spaceId } = old
        await revokeKey(transaction, id)
        await insertKey(
          transaction,
          { ...key, plan, limits },
          { accountId, replaces: { id, spaceId } },
        )
        return 'replaced'
      }),
    async purge(id, now) {
      const found = await find(id)
      if (found === undefined) return 'not-found'
      const { spaceId } = found
      return database.inSpace(spaceId, async (transaction) => {
        const [, key] = await Promise.all([
          holdSpaceAlone(transaction, spaceId),
          lockKey(transaction, accountId, id),
        ])
        if (key === undefined) return 'not-found'
        if (key.status === 'active') return 'is-active'
        if (key.replacedBy !== undefined) return 'was-replaced'
        const isDone = await removeSomeRecords(transaction, spaceId)
        if (isDone) await transaction.run(MARK_PURGED, [now, spaceId])
        return { isDone }
      })
    },
  }
}
