// Keys and the spaces that they open.
import { KEY_COLUMNS, type KeyRow, toKey } from '../record-rows.ts'
import type { KeyRecord, NewKey } from '../records.ts'
import type { Connection } from './opening/open-database.ts'

export function keyReads(db: Connection) {
  const byHash = db.prepare<[Buffer], KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ?`)
  const byId = db.prepare<[string], KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = ?`)
  const all = db.prepare<[], KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM keys ORDER BY created_at DESC, id DESC`,
  )
  return {
    findByHash(hash: Buffer): KeyRecord | undefined {
      const row = byHash.get(hash)
      return row && toKey(row)
    },
    find(id: string): KeyRecord | undefined {
      const row = byId.get(id)
      return row && toKey(row)
    },
    list: (): KeyRecord[] => all.all().map(toKey),
  }
}

export function keyWrites(db: Connection) {
  const openSpace = db.prepare<[number]>('INSERT INTO spaces (created_at) VALUES (?)')
  // A key that is nobody's is the administrator's, once there is one.
  const insert = db.prepare(
    `INSERT INTO keys
       (id, space_no, name, hash, plan, read_limit, write_limit, search_limit, status, created_at,
        prefix, replaces_id, account_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?,
       COALESCE(?, (SELECT id FROM accounts WHERE role = 'administrator')))`,
  )
  const revoke = db.prepare<[string]>("UPDATE keys SET status = 'revoked' WHERE id = ?")
  const reads = keyReads(db)
  const isEmpty = db.prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM keys)').pluck()
  const writes = {
    /** With a new space, unless it replaces a key. */
    insert(
      key: NewKey,
      {
        accountId,
        replaces,
      }: { accountId?: string; replaces?: Pick<KeyRecord, 'id' | 'spaceId'> } = {},
    ): void {
      const space = replaces?.spaceId ?? openSpace.run(key.createdAt).lastInsertRowid
      insert.run(
        key.id,
        space,
        key.name,
        Buffer.from(key.hash),
        key.plan,
        key.limits.read ?? null,
        key.limits.write ?? null,
        key.limits.search ?? null,
        key.createdAt,
        key.prefix ?? null,
        replaces?.id ?? null,
        accountId ?? null,
      )
    },
    revoke(id: string): KeyRecord | undefined {
      revoke.run(id)
      return reads.find(id)
    },
  }
  return {
    ...writes,
    insertFirst(key: NewKey): boolean {
      if (isEmpty.get() !== 1) return false
      writes.insert(key)
      return true
    },
  }
}
