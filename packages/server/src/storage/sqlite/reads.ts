// Every procedure of the reader, in one object whose type the main thread shares.
import { entityReads } from './entities.ts'
import { idempotencyReads } from './idempotency.ts'
import { memoryReads } from './memories.ts'
import type { Connection } from './open-database.ts'
import { relationReads } from './relations.ts'
import { usageReads } from './usage.ts'

export type ReadProcedures = ReturnType<typeof openReads> & { close: () => void }

export function openReads(db: Connection) {
  const memories = memoryReads(db)
  const entities = entityReads(db)
  const relations = relationReads(db)
  const usage = usageReads(db)
  const idempotency = idempotencyReads(db)
  return {
    findMemory: memories.find,
    pageMemories: memories.page,
    findEntity: entities.find,
    pageEntities: entities.page,
    findRelation: relations.find,
    pageRelations: relations.page,
    readUsage: usage.read,
    findIdempotency: idempotency.find,
  }
}
