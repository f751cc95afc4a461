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
import type { KeyChange, KeyRecord, NewKey } from '../records.ts'
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
    `INSERT INTO keys (${NEW_KEY_COLUMNS}, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
       COALESCE(?, (SELECT id FROM accounts WHERE role = 'administrator')), 'active')`,
  )
  const change = db.prepare(
    `UPDATE keys SET (${CHANGEABLE_KEY_COLUMNS}) = (?, ?, ?, ?) WHERE id = ?`,
  )
  const revoke = db.prepare<[string]>("UPDATE keys SET status = 'revoked' WHERE id = ?")
  const reads = keyReads(db)
  const isEmpty = db.prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM keys)').pluck()
  const writes = {
    /** With a new space, unless it replaces a key. */
    insert(key: NewKey, origin: KeyOrigin = {}): void {
      const space = origin.replaces?.spaceId ?? Number(openSpace.run(key.createdAt).lastInsertRowid)
      insert.run(...newKeyValues(key, space, origin))
    },
    change(id: string, changes: KeyChange): KeyRecord | undefined {
      const key = reads.find(id)
      if (key === undefined) return undefined
      change.run(...changedKeyValues(key, changes), id)
      return reads.find(id)
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
