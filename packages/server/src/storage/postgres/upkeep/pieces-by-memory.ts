// The indexes by which a deletion finds the pieces of a memory. A database that had pieces before there were
// these gets them beside the service, one partition after the other, and nobody waits for it; until then a
// deletion reads the keys of all pieces of its space. One instance does it; the others look whether it has
// ended before it was done. What fails is tried again. decisions/2026-11-25-pieces-by-memory.md
import type { Database } from '../connection/database.ts'
import { LOCKS } from '../connection/locks.ts'
import { withOwner } from '../connection/owner.ts'
import { onClient, prepared } from '../connection/transaction.ts'
import { type Around, tryUntilDone } from './try-until-done.ts'

const LOCK = prepared<{ is_mine: boolean }>(
  `SELECT pg_try_advisory_lock(${LOCKS.piecesByMemory}) AS is_mine`,
)
/** One that was begun and not completed is there, but not valid. */
const MISSING = prepared<{ partition: string; index: string }>(
  `SELECT relname AS partition, relname || '_by_memory' AS index
   FROM pg_partition_tree('pieces') JOIN pg_class ON oid = relid
   WHERE isleaf AND NOT EXISTS (
     SELECT FROM pg_index JOIN pg_class AS own ON own.oid = indexrelid
     WHERE indrelid = relid AND indisvalid AND own.relname = pg_class.relname || '_by_memory')
   ORDER BY relname`,
)

/** Whether there is nothing to make. */
export async function arePiecesIndexed(database: Database): Promise<boolean> {
  return (await database.query(MISSING, [])).length === 0
}

/** Resolves when all are there, or with the signal: then it leaves what it has begun to the database. */
export function indexPiecesByMemory(
  database: Database,
  url: string,
  around: Around,
): Promise<void> {
  const areThere = () => arePiecesIndexed(database)
  return tryUntilDone(
    async () => (await areThere()) || ((await indexAlone(url, around.signal)) && areThere()),
    around,
  )
}

/** False when another process does it. */
const indexAlone = (url: string, signal: AbortSignal): Promise<boolean> =>
  withOwner(
    url,
    async (owner) => {
      const transaction = onClient(owner)
      if (!(await transaction.one(LOCK, []))?.is_mine) return false
      for (const { partition, index } of await transaction.all(MISSING, [])) {
        await owner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
        await owner.query(
          `CREATE INDEX CONCURRENTLY ${index} ON ${partition} (space_no, memory_no)`,
        )
      }
      return true
    },
    signal,
  )
