// Empties a space a few hundred records at a time, fewer where many rows belong to each, so that no commit
// holds up the others for long. Each record goes the way of a single deletion, so that nothing of it stays
// behind anywhere.
import type { SpaceId } from '../records.ts'
import type { Receipt } from '../store.ts'
import { changedRows, DELETED_ROWS_MAX } from './commit/changed-rows.ts'
import type { Connection } from './opening/open-database.ts'

const STEP_MAX = 200
const REPLAYS_MAX = 500

/** Some of the records of a space. True when nothing is left. */
export type RemoveSomeRecords = (space: SpaceId) => boolean

type Remove = (space: SpaceId, id: string, receipt: Receipt) => boolean

export function recordRemover(
  db: Connection,
  remove: { memory: Remove; entity: Remove; relation: Remove },
): RemoveSomeRecords {
  const some = (table: 'relations' | 'entities' | 'memories') =>
    db
      .prepare<[SpaceId, number], string>(`SELECT id FROM ${table} WHERE space_no = ? LIMIT ?`)
      .pluck()
  // Relations first: an entity that had very many would take them all along in one step.
  const steps = [
    { ids: some('relations'), remove: remove.relation },
    { ids: some('entities'), remove: remove.entity },
    { ids: some('memories'), remove: remove.memory },
  ]
  const rowsChanged = changedRows(db)
  const forgetReplays = db.prepare<[SpaceId]>(
    `DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
       SELECT key_id, idempotency_key FROM idempotency
       WHERE key_id IN (SELECT id FROM keys WHERE space_no = ?) LIMIT ${REPLAYS_MAX})`,
  )
  return (space) => {
    const rowsMax = rowsChanged() + DELETED_ROWS_MAX
    let left = STEP_MAX
    for (const step of steps) {
      for (const id of step.ids.all(space, left)) {
        step.remove(space, id, {})
        left -= 1
        if (left === 0 || rowsChanged() >= rowsMax) return false
      }
    }
    return forgetReplays.run(space).changes < REPLAYS_MAX
  }
}
