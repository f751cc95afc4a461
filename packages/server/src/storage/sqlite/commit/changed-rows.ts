// How much a transaction has written, as far as that is known before it commits: in rows, with those that
// triggers and foreign keys took along. At worst each lies on a page of its own, as the tags of a memory and
// their counts do.
import type { Connection } from '../opening/open-database.ts'

/** Of one commit that deletes: up to some 16 MiB of the log, see log-keeper.ts. */
export const DELETED_ROWS_MAX = 1_000

/** Tells how many rows the connection has changed since it was opened. */
export function changedRows(db: Connection): () => number {
  const total = db.prepare<[], number>('SELECT total_changes()').pluck()
  return () => total.get() ?? 0
}
