// What every write commits besides its own rows: the operation it costs, and that it was answered.
// Both can refuse the write, whose transaction is then rolled back.
import type { SpaceId } from '../records.ts'
import type { Receipt } from '../store.ts'
import type { Database } from './connection/database.ts'
import type { Statement, Transaction } from './connection/transaction.ts'
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
 * A deletion that costs an operation when there was something to delete. The statements, each of which takes
 * the space and the id, travel together; the last one deletes, those before it lock. False when there is no
 * such row.
 */
export const removeRow = (
  database: Database,
  space: SpaceId,
  {
    statements,
    id,
    receipt,
  }: { statements: readonly Statement<object>[]; id: string; receipt: Receipt },
): Promise<boolean> =>
  database.lookThenWriteInSpace(
    space,
    async (transaction) => {
      const counts = statements.map((statement) => transaction.run(statement, [space, id]))
      return (await Promise.all(counts)).at(-1)
    },
    async (transaction, removed) => {
      if (removed !== 1) return false
      await recordReceipt(transaction, receipt)
      return true
    },
  )
