// Every procedure of the writer, in one object whose type the main thread shares.

import { embeddingModelWrites } from './embedding-model.ts'
import { entityWrites } from './entities.ts'
import { idempotencyWrites } from './idempotency.ts'
import { keyWrites } from './keys.ts'
import { memoryWrites } from './memories.ts'
import type { Connection } from './open-database.ts'
import { receiptWrites } from './receipts.ts'
import { relationWrites } from './relations.ts'
import type { IndexChange } from './search-index.ts'
import { usageWrites } from './usage.ts'

export type WriteProcedures = ReturnType<typeof openWrites>

/** `changes` collects what the search index has to hear of after the commit. */
export function openWrites(db: Connection, changes: IndexChange[]) {
  const recordReceipt = receiptWrites(db)
  const memories = memoryWrites(db, recordReceipt, changes)
  const entities = entityWrites(db, recordReceipt)
  const relations = relationWrites(db, recordReceipt)
  const keys = keyWrites(db)
  const usage = usageWrites(db)
  const idempotency = idempotencyWrites(db)
  const embeddingModel = embeddingModelWrites(db)
  return {
    insertMemory: memories.insert,
    removeMemory: memories.remove,
    insertEntity: entities.insert,
    removeEntity: entities.remove,
    insertRelation: relations.insert,
    removeRelation: relations.remove,
    insertKey: keys.insert,
    revokeKey: keys.revoke,
    addUsage: usage.add,
    expireIdempotency: idempotency.expire,
    rememberModel: embeddingModel.remember,
    /** Does nothing, but only when a commit is possible. */
    check: (): void => undefined,
    /** Answered after everything before it was committed; the worker then ends. */
    close: (): void => undefined,
  }
}

/** The procedures after whose success a text has to leave the files. */
export const DELETIONS: ReadonlySet<string> = new Set<keyof WriteProcedures>([
  'removeMemory',
  'removeEntity',
  'removeRelation',
])
