// A space that was purged stays empty. A create may have been admitted long before it gets to the
// database, so each looks there, in its own transaction, and a purge waits for those that have looked.
// A lock of its own and no lock on the key's row: that one would be written with every create.
import type { SpaceId } from '../records.ts'
import { LOCKS } from './connection/locks.ts'
import { prepared, type Transaction } from './connection/transaction.ts'

const SHARE_LOCK = prepared(`SELECT pg_advisory_xact_lock_shared(${LOCKS.space})`)
const LOCK_ALONE = prepared(`SELECT pg_advisory_xact_lock(${LOCKS.space})`)
const EXPECT = prepared(
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM keys WHERE space_no = $1 AND purged_at IS NOT NULL)
     THEN refuse('MG004') END`,
)

/**
 * First in the transaction of a create: until its end the space is not purged. Rejects as `purged`
 * when it was already. Both statements are sent at once; the second one sees what the first waited for.
 */
export async function holdSpace(transaction: Transaction, space: SpaceId): Promise<void> {
  await Promise.all([transaction.one(SHARE_LOCK, [space]), transaction.run(EXPECT, [space])])
}

/**
 * Waits for every create under way, and holds up new ones until the end of the transaction. Before
 * any other lock: creates hold this one while they wait for those.
 */
export const holdSpaceAlone = (transaction: Transaction, space: SpaceId): Promise<unknown> =>
  transaction.one(LOCK_ALONE, [space])
