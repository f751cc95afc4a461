// Which creates were answered under which Idempotency-Key. Holds no text of a caller.
import { IDEMPOTENCY_TTL_MS } from '../../contract/bounds.ts'
import { IDEMPOTENCY_COLUMNS, type IdempotencyRow, toIdempotency } from '../record-rows.ts'
import type { IdempotencyRecord } from '../store.ts'
import type { Connection } from './opening/open-database.ts'

/** The day of a large import has a million of them, which one commit would take a minute for. */
const EXPIRED_AT_ONCE = 500

export function idempotencyWrites(db: Connection) {
  // A record that ran out but was not swept yet gives way to the new one.
  const put = db.prepare<[string, string, string, string, number]>(
    `INSERT INTO idempotency (${IDEMPOTENCY_COLUMNS}) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint,
       record_id = excluded.record_id, created_at = excluded.created_at
     WHERE created_at < excluded.created_at - ${IDEMPOTENCY_TTL_MS}`,
  )
  const expire = db.prepare<[number]>(
    `DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
       SELECT key_id, idempotency_key FROM idempotency
       WHERE created_at < ? ORDER BY created_at LIMIT ${EXPIRED_AT_ONCE})`,
  )
  return {
    /** False, and nothing changes, when there is a record that has not run out. */
    put({ keyId, idempotencyKey, fingerprint, recordId, createdAt }: IdempotencyRecord): boolean {
      return put.run(keyId, idempotencyKey, fingerprint, recordId, createdAt).changes > 0
    },
    /** Some of them. True when nothing is left. */
    expire: (time: number): boolean => expire.run(time).changes < EXPIRED_AT_ONCE,
  }
}

export function idempotencyReads(db: Connection) {
  const find = db.prepare<[string, string, number], IdempotencyRow>(
    `SELECT ${IDEMPOTENCY_COLUMNS} FROM idempotency
     WHERE key_id = ? AND idempotency_key = ? AND created_at >= ?`,
  )
  return {
    find(keyId: string, idempotencyKey: string, notBefore: number): IdempotencyRecord | undefined {
      const row = find.get(keyId, idempotencyKey, notBefore)
      return row && toIdempotency(row)
    },
  }
}
