// What every write commits besides its own rows: the operation it costs, and that it was answered.
import { type Receipt, StoreError } from '../../store.ts'
import { idempotencyWrites } from '../idempotency.ts'
import type { Connection } from '../opening/open-database.ts'
import type { usageWrites } from '../usage.ts'

export type RecordReceipt = (receipt: Receipt) => void

export function receiptWrites(
  db: Connection,
  usage: Pick<ReturnType<typeof usageWrites>, 'note'>,
): RecordReceipt {
  const idempotency = idempotencyWrites(db)
  return ({ charge, idempotency: record }) => {
    if (record !== undefined && !idempotency.put(record)) {
      throw new StoreError('repeated', undefined)
    }
    if (charge !== undefined) usage.note(charge)
  }
}
