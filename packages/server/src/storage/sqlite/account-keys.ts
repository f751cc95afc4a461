// The keys of an account: every statement carries the account, so that no id reaches further.
import { OWNED_KEY_COLUMNS, type OwnedKeyRow, toOwnedKey } from '../console-rows.ts'
import type { MeteredKey, OwnedKey, PurgeStep, Replacement } from '../console-store.ts'
import type { NewKey, SpaceId } from '../records.ts'
import type { SpacesInUse } from './commit/spaces-in-use.ts'
import { keyWrites } from './keys.ts'
import type { Connection } from './opening/open-database.ts'
import type { RemoveSomeRecords } from './purge.ts'

type MeteredRow = OwnedKeyRow & { used: number }

const OPERATIONS = `COALESCE(
  (SELECT operations FROM usage WHERE usage.key_id = keys.id AND month = :month), 0)`

export function accountKeyReads(db: Connection) {
  const byId = db.prepare<[string, string], OwnedKeyRow>(
    `SELECT ${OWNED_KEY_COLUMNS} FROM keys WHERE account_id = ? AND id = ?`,
  )
  // A key has used what it has itself, and what the one that it replaced had. Each line is walked once, from its
  // first key on: one that was replaced a thousand times would be half a million steps from each of its keys.
  const all = db.prepare<{ accountId: string; month: string }, MeteredRow>(
    `WITH RECURSIVE metered (id, used) AS (
       SELECT id, ${OPERATIONS} FROM keys WHERE account_id = :accountId AND replaces_id IS NULL
       UNION ALL
       SELECT keys.id, used + ${OPERATIONS} FROM metered JOIN keys ON keys.replaces_id = metered.id)
     SELECT ${OWNED_KEY_COLUMNS}, used FROM metered JOIN keys USING (id)
     WHERE account_id = :accountId ORDER BY created_at DESC, id DESC`,
  )
  return {
    find(accountId: string, id: string): OwnedKey | undefined {
      const row = byId.get(accountId, id)
      return row && toOwnedKey(row)
    },
    list: (accountId: string, month: string): MeteredKey[] =>
      all.all({ accountId, month }).map((row) => ({ ...toOwnedKey(row), used: row.used })),
  }
}

export function accountKeyWrites(
  db: Connection,
  removeSomeRecords: RemoveSomeRecords,
  spaces: Pick<SpacesInUse, 'forget'>,
) {
  const reads = accountKeyReads(db)
  const keys = keyWrites(db)
  const markPurged = db.prepare<[number, SpaceId]>(
    'UPDATE keys SET purged_at = ? WHERE space_no = ?',
  )
  return {
    insert: (accountId: string, key: NewKey): void => keys.insert(key, { accountId }),
    revoke(accountId: string, id: string): OwnedKey | undefined {
      if (reads.find(accountId, id) === undefined) return undefined
      keys.revoke(id)
      return reads.find(accountId, id)
    },
    replace(accountId: string, id: string, key: Omit<NewKey, 'plan' | 'limits'>): Replacement {
      const old = reads.find(accountId, id)
      if (old === undefined) return 'not-found'
      if (old.replacedBy !== undefined) return 'was-replaced'
      if (old.purgedAt !== undefined) return 'was-purged'
      keys.revoke(id)
      const { plan, limits, spaceId } = old
      keys.insert({ ...key, plan, limits }, { accountId, replaces: { id, spaceId } })
      return 'replaced'
    },
    purge(accountId: string, id: string, now: number): PurgeStep {
      const key = reads.find(accountId, id)
      if (key === undefined) return 'not-found'
      if (key.status === 'active') return 'is-active'
      if (key.replacedBy !== undefined) return 'was-replaced'
      const isDone = removeSomeRecords(key.spaceId)
      if (isDone) {
        markPurged.run(now, key.spaceId)
        spaces.forget()
      }
      return { isDone }
    },
  }
}
