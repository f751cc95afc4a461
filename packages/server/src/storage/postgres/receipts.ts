// What every write commits besides its own rows: the operation it costs, and that it was answered.
// Both can refuse the write, whose transaction is then rolled back.
import type { Receipt } from '../store.ts'
import type { Transaction } from './connection/transaction.ts'
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
