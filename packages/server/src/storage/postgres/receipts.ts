// What every write commits besides its own rows: the operation it costs, and that it was answered.
// Both can refuse the write, whose transaction is then rolled back.
import type { Receipt, SpaceId } from '../store.ts'
import type { Database, Statement, Transaction } from './database.ts'
import { putIdempotency } from './idempotency.ts'
import { chargeUsage } from './usage.ts'

/**
 * Last in its transaction: the row of the month is what all writes of a key share. A repetition is
 * not told that the quota is used up, so the record comes before the charge.
 */
export async function recordReceipt(
  transaction: Transaction,
  { charge, idempotency, onCharged }: Receipt,
): Promise<void> {
  // They travel together and are executed in this order.
  const [, used] = await Promise.all([
    idempotency && putIdempotency(transaction, idempotency),
    charge && chargeUsage(transaction, charge),
  ])
  if (used !== undefined) onCharged?.(used)
}

/**
 * A deletion that costs an operation when there was something to delete. The statement takes the space and
 * the id. False when there is no such row.
 */
export const removeRow = (
  database: Database,
  space: SpaceId,
  { statement, id, receipt }: { statement: Statement<object>; id: string; receipt: Receipt },
): Promise<boolean> =>
  database.lookThenWriteInSpace(
    space,
    (transaction) => transaction.run(statement, [space, id]),
    async (transaction, removed) => {
      if (removed === 0) return false
      await recordReceipt(transaction, receipt)
      return true
    },
  )
