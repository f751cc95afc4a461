// What every write commits besides its own rows: the operation it costs, and that it was answered.
import type { Receipt } from '../store.ts'
import { idempotencyWrites } from './idempotency.ts'
import type { Connection } from './open-database.ts'
import { usageWrites } from './usage.ts'

export type RecordReceipt = (receipt: Receipt) => void

export function receiptWrites(db: Connection): RecordReceipt {
  const usage = usageWrites(db)
  const idempotency = idempotencyWrites(db)
  return ({ charge, idempotency: record }) => {
    if (charge !== undefined) usage.charge(charge)
    if (record !== undefined) idempotency.put(record)
  }
}
