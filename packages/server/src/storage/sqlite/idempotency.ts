// Which creates were answered under which Idempotency-Key. Holds no text of a caller.
import { IDEMPOTENCY_TTL_MS } from '../../contract/bounds.ts'
import type { IdempotencyRecord } from '../store.ts'
import type { Connection } from './open-database.ts'

type Row = {
  key_id: string
  idempotency_key: string
  fingerprint: string
  record_id: string
  created_at: number
}

export function idempotencyWrites(db: Connection) {
  // A record that ran out but was not swept yet gives way to the new one.
  const put = db.prepare<[string, string, string, string, number]>(
    `INSERT INTO idempotency
       (key_id, idempotency_key, fingerprint, record_id, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint,
       record_id = excluded.record_id, created_at = excluded.created_at
     WHERE created_at < excluded.created_at - ${IDEMPOTENCY_TTL_MS}`,
  )
  const expire = db.prepare<[number]>('DELETE FROM idempotency WHERE created_at < ?')
  return {
    /** False, and nothing changes, when there is a record that has not run out. */
    put({ keyId, idempotencyKey, fingerprint, recordId, createdAt }: IdempotencyRecord): boolean {
      return put.run(keyId, idempotencyKey, fingerprint, recordId, createdAt).changes > 0
    },
    expire(time: number): void {
      expire.run(time)
    },
  }
}

export function idempotencyReads(db: Connection) {
  const find = db.prepare<[string, string, number], Row>(
    `SELECT key_id, idempotency_key, fingerprint, record_id, created_at FROM idempotency
     WHERE key_id = ? AND idempotency_key = ? AND created_at >= ?`,
  )
  return {
    find(keyId: string, idempotencyKey: string, notBefore: number): IdempotencyRecord | undefined {
      const row = find.get(keyId, idempotencyKey, notBefore)
      if (row === undefined) return undefined
      return {
        keyId: row.key_id,
        idempotencyKey: row.idempotency_key,
        fingerprint: row.fingerprint,
        recordId: row.record_id,
        createdAt: row.created_at,
      }
    },
  }
}
