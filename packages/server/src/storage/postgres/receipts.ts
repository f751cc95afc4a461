// What every write commits besides its own rows: the operation it costs, and that it was answered.
import type { Receipt } from '../store.ts'
import type { Transaction } from './database.ts'
import { putIdempotency } from './idempotency.ts'
import { chargeUsage } from './usage.ts'

/** Last in its transaction: the row of the month is what all writes of a key share. */
export async function recordReceipt(
  transaction: Transaction,
  { charge, idempotency }: Receipt,
): Promise<void> {
  if (idempotency !== undefined) await putIdempotency(transaction, idempotency)
  if (charge !== undefined) await chargeUsage(transaction, charge)
}
