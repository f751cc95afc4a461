// Empties a space a few hundred records at a time, so that no transaction holds up others for long.
// A memory goes the way of a single deletion, so that nothing of it stays behind anywhere. That takes
// as long as its text is, so a step also ends by the clock, and no statement waits long behind others:
// how long it may take counts from when it was sent.
import type { SpaceId } from '../records.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { lockMemory, removeLocked } from './memories.ts'
import { addUp, COUNTED_TABLES } from './upkeep/row-counts.ts'

const STEP_MAX = 200
/** A step begins nothing more after so long. */
const STEP_MS = 500
/** Of texts whose deletions travel together: hundredths of a second. */
const TOGETHER_BYTES_MAX = 20_000

// Relations first: an entity that had very many would take them all along in one step. Found by an array, in order:
// where some spaces are large, the planner would read whole tables in each step. Locked, so that what somebody else
// removes at the same time is not taken for one of them: fewer than asked for would mean that no more are left.
const REMOVE_ROWS = (['relations', 'entities'] as const).map((table) =>
  prepared(
    `DELETE FROM ${table} WHERE space_no = $1 AND id = ANY(ARRAY(
       SELECT id FROM ${table} WHERE space_no = $1 ORDER BY id LIMIT $2 FOR UPDATE))`,
  ),
)
type Sized = { id: string; bytes: number }
const SOME_MEMORIES = prepared<Sized>(
  'SELECT id, octet_length(content) AS bytes FROM memories WHERE space_no = $1 ORDER BY id LIMIT $2',
)
const REPLAYS_MAX = 1_000
const FORGET_REPLAYS = prepared(
  `DELETE FROM idempotency WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM idempotency WHERE key_id IN (SELECT id FROM keys WHERE space_no = $1)
     LIMIT ${REPLAYS_MAX} FOR UPDATE))`,
)

/** In a transaction over the space. True when nothing is left. */
export async function removeSomeRecords(
  transaction: Transaction,
  space: SpaceId,
): Promise<boolean> {
  const isDone = await removeSome(transaction, space)
  // A note for each of a million memories would be more than anybody adds up at once.
  for (const table of COUNTED_TABLES) await addUp(transaction, space, table)
  return isDone
}

async function removeSome(transaction: Transaction, space: SpaceId): Promise<boolean> {
  const endAtMs = performance.now() + STEP_MS
  let left = STEP_MAX
  for (const removal of REMOVE_ROWS) {
    left -= await transaction.run(removal, [space, left])
  }
  const memories = await transaction.all(SOME_MEMORIES, [space, left])
  for (const group of groupsOf(memories)) {
    await removeTogether(transaction, space, group)
    if (performance.now() > endAtMs) return false
  }
  if (memories.length === left) return false
  return (await transaction.run(FORGET_REPLAYS, [space])) < REPLAYS_MAX
}

/** In their order; a text that is longer than all that may travel together travels alone. */
function groupsOf(memories: readonly Sized[]): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const { id, bytes } of memories) {
    const last = groups.at(-1)
    if (last === undefined || bytes > room) {
      groups.push([id])
      room = TOGETHER_BYTES_MAX - bytes
    } else {
      last.push(id)
      room -= bytes
    }
  }
  return groups
}

/** The statements of all deletions travel together. None is under way any more when this ends. */
async function removeTogether(
  transaction: Transaction,
  space: SpaceId,
  ids: readonly string[],
): Promise<void> {
  const removals = await Promise.allSettled(
    ids.map(async (id) => {
      const found = await lockMemory(transaction, space, id)
      if (found !== undefined) await removeLocked(transaction, space, found)
    }),
  )
  for (const removal of removals) {
    if (removal.status === 'rejected') throw removal.reason
  }
}
