// Empties a space a few hundred records at a time, so that no transaction holds up others for long.
// A memory goes the way of a single deletion, so that nothing of it stays behind anywhere.
import type { SpaceId } from '../store.ts'
import { prepared, type Transaction } from './database.ts'
import { removeMemory } from './memories.ts'

const STEP_MAX = 200

// Relations first: an entity that had very many would take them all along in one step.
const REMOVE_ROWS = (['relations', 'entities'] as const).map((table) =>
  prepared(
    `DELETE FROM ${table} WHERE space_no = $1 AND id IN (
       SELECT id FROM ${table} WHERE space_no = $1 LIMIT $2)`,
  ),
)
const SOME_MEMORIES = prepared<{ id: string }>(
  'SELECT id FROM memories WHERE space_no = $1 LIMIT $2',
)
const FORGET_REPLAYS = prepared(
  'DELETE FROM idempotency WHERE key_id IN (SELECT id FROM keys WHERE space_no = $1)',
)

/** In a transaction over the space. True when nothing is left. */
export async function removeSomeRecords(
  transaction: Transaction,
  space: SpaceId,
): Promise<boolean> {
  let left = STEP_MAX
  for (const removal of REMOVE_ROWS) {
    left -= await transaction.run(removal, [space, left])
    if (left === 0) return false
  }
  const memories = await transaction.all(SOME_MEMORIES, [space, left])
  await removeTogether(
    transaction,
    space,
    memories.map(({ id }) => id),
  )
  if (memories.length === left) return false
  await transaction.run(FORGET_REPLAYS, [space])
  return true
}

/** The statements of all deletions travel together. None is under way any more when this ends. */
async function removeTogether(
  transaction: Transaction,
  space: SpaceId,
  ids: readonly string[],
): Promise<void> {
  const removals = await Promise.allSettled(
    ids.map((id) => removeMemory(transaction, space, id, {})),
  )
  for (const removal of removals) {
    if (removal.status === 'rejected') throw removal.reason
  }
}
