// Which creates were answered under which Idempotency-Key. Holds no text of a caller.
import { IDEMPOTENCY_TTL_MS } from '../../contract/bounds.ts'
import { IDEMPOTENCY_COLUMNS, type IdempotencyRow, toIdempotency } from '../record-rows.ts'
import type { IdempotencyRecord, IdempotencyStore } from '../store.ts'
import { untilDone } from '../until-done.ts'
import { type Database, WITHIN_SPACE } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'

/** An import of a day leaves more of them than can be removed in the time that a statement may take. */
const EXPIRED_AT_ONCE = 1_000

/**
 * The time up to which records have run out: an instance's, whose clock may be ahead, or that of the database,
 * which is asked once.
 */
const orByDatabase = (oldest: string): string =>
  `LEAST(${oldest}, (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) - ${IDEMPOTENCY_TTL_MS})`

// A record that ran out but was not swept yet gives way to the new one. One that another transaction
// is about to commit is waited for.
const PUT = prepared(
  `WITH put AS (
     INSERT INTO idempotency (${IDEMPOTENCY_COLUMNS})
     SELECT $1, $2, $3, $4, $5::bigint WHERE ${WITHIN_SPACE}
     ON CONFLICT (key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
       record_id = excluded.record_id, created_at = excluded.created_at
     WHERE idempotency.created_at < ${orByDatabase(`excluded.created_at - ${IDEMPOTENCY_TTL_MS}`)}
     RETURNING 1)
   SELECT COALESCE((SELECT 1 FROM put), refuse('MG002'))`,
)
const FIND = prepared<IdempotencyRow>(
  `SELECT ${IDEMPOTENCY_COLUMNS} FROM idempotency
   WHERE key_id = $1 AND idempotency_key = $2 AND created_at >= ${orByDatabase('$3')}`,
)
// What another instance holds, it removes, or has just made anew.
const EXPIRE = prepared<{ expired: number }>(
  `WITH expired AS (
     DELETE FROM idempotency WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM idempotency WHERE created_at < ${orByDatabase('$1')}
       ORDER BY created_at LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED))
     RETURNING 1)
   SELECT count(*) AS expired FROM expired`,
)

/** Rejects as `repeated` when there is a record that has not run out. */
export async function putIdempotency(
  transaction: Transaction,
  record: IdempotencyRecord,
): Promise<void> {
  const { keyId, idempotencyKey, fingerprint, recordId, createdAt } = record
  const values = [keyId, idempotencyKey, fingerprint, recordId, createdAt]
  await transaction.run(PUT, values)
}

export const idempotencyStore = (database: Database, closing: AbortSignal): IdempotencyStore => ({
  async find(keyId, idempotencyKey, notBefore, pace) {
    const [row] = await database.atPace(pace, keyId, () =>
      database.query(FIND, [keyId, idempotencyKey, notBefore], keyId),
    )
    return row && toIdempotency(row)
  },
  expire: (time) =>
    untilDone(async () => {
      const [row] = await database.query(EXPIRE, [time])
      return (row?.expired ?? 0) < EXPIRED_AT_ONCE
    }, closing),
})
