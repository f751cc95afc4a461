// Counts the rows of the spaces that a database had before it kept such counts, one space after the other beside
// the service; until then each of their lists counts for itself. Before that it sees to it that changes are noted,
// with locks for which no write waits long. Instances that do it at once take different spaces. What fails is tried
// again, and what another instance has left when it ended.
// decisions/2026-11-28-totals-without-counting.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { errorCodeOf } from '../../../error-code.ts'
import type { SpaceId } from '../../records.ts'
import type { Database } from '../connection/database.ts'
import { withOwner } from '../connection/owner.ts'
import { onClient, prepared } from '../connection/transaction.ts'
import { COUNTED_TABLES } from './row-counts.ts'
import { type Around, tryUntilDone } from './try-until-done.ts'

const ARE_NOTED = prepared(
  "SELECT 1 FROM pg_trigger WHERE tgname = 'note_created' AND tgrelid = 'memories'::regclass",
)
/** Writes queue up behind the one that waits for a lock. */
const LOCK_MS_MAX = 100
const LOCK_AGAIN_MS = 1_000
const LOCK_TIMED_OUT = '55P03'

const IS_ANY_LEFT = prepared('SELECT 1 FROM spaces WHERE NOT is_counted LIMIT 1')
// The lock lets keys of the space be made meanwhile.
const TAKE_NEXT = prepared<{ space: SpaceId }>(
  `SELECT no AS space FROM spaces WHERE no > $1 AND NOT is_counted
   ORDER BY no LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
)
// The notes that this statement sees are of rows that it sees, and all others of rows that it does not see.
const COUNT = COUNTED_TABLES.map((table) =>
  prepared(
    `WITH counted AS (DELETE FROM row_changes WHERE space_no = $1 AND counted = '${table}')
     INSERT INTO row_counts (space_no, counted, total)
     SELECT $1, '${table}', count(*) FROM ${table} WHERE space_no = $1`,
  ),
)
const MARK = prepared('UPDATE spaces SET is_counted = true WHERE no = $1')

/** Whether there is nothing to count. */
export async function areSpacesCounted(database: Database): Promise<boolean> {
  return (await database.query(IS_ANY_LEFT, [])).length === 0
}

/** Resolves when all spaces are counted, or with the signal. */
export function countUncountedSpaces(url: string, around: Around): Promise<void> {
  const { signal } = around
  const count = async (owner: ClientBase): Promise<boolean> => {
    await beginNoting(owner, signal)
    return await countAll(owner)
  }
  return tryUntilDone(() => withOwner(url, count, signal), around)
}

async function beginNoting(owner: ClientBase, signal: AbortSignal): Promise<void> {
  while ((await onClient(owner).one(ARE_NOTED, [])) === undefined) {
    try {
      await owner.query(
        `BEGIN; SET LOCAL lock_timeout = ${LOCK_MS_MAX}; SELECT note_from_now_on(); COMMIT`,
      )
    } catch (error) {
      await owner.query('ROLLBACK')
      if (errorCodeOf(error) !== LOCK_TIMED_OUT) throw error
      await sleep(LOCK_AGAIN_MS, undefined, { signal })
    }
  }
}

/** False when another instance still counts one. */
async function countAll(owner: ClientBase): Promise<boolean> {
  const transaction = onClient(owner)
  // The owner's policies may show it nothing; this role looks at every space.
  await owner.query('SET ROLE mnemograph_maintenance')
  let space = 0
  for (;;) {
    await owner.query('BEGIN')
    const next = await transaction.one(TAKE_NEXT, [space])
    if (next !== undefined) {
      space = next.space
      for (const count of COUNT) await transaction.run(count, [space])
      await transaction.run(MARK, [space])
    }
    await owner.query('COMMIT')
    if (next === undefined) return (await transaction.one(IS_ANY_LEFT, [])) === undefined
  }
}
