// Every procedure of the reader, in one object whose type the main thread shares.
import { accountKeyReads } from '../account-keys.ts'
import { accountReads } from '../accounts/accounts.ts'
import { linkReads } from '../accounts/links.ts'
import { sessionReads } from '../accounts/sessions.ts'
import { entityReads } from '../entities.ts'
import { idempotencyReads } from '../idempotency.ts'
import { memoryReads } from '../memories.ts'
import type { Connection } from '../opening/open-database.ts'
import { relationReads } from '../relations.ts'
import { statisticsReads } from '../statistics.ts'
import { usageReads } from '../usage.ts'

export type ReadProcedures = ReturnType<typeof openReads> & { close: () => void }

export function openReads(db: Connection) {
  const memories = memoryReads(db)
  const entities = entityReads(db)
  const relations = relationReads(db)
  const usage = usageReads(db)
  const idempotency = idempotencyReads(db)
  const accounts = accountReads(db)
  const accountKeys = accountKeyReads(db)
  const sessions = sessionReads(db)
  const links = linkReads(db)
  const statistics = statisticsReads(db)
  return {
    findMemory: memories.find,
    pageMemoriesIfShort: memories.pageIfShort,
    findEntity: entities.find,
    pageEntitiesIfShort: entities.pageIfShort,
    findRelation: relations.find,
    pageRelationsIfShort: relations.pageIfShort,
    readUsage: usage.read,
    findIdempotency: idempotency.find,
    findAccount: accounts.find,
    findAccountByEmail: accounts.findByEmail,
    listAccounts: accounts.list,
    listAccountKeys: accountKeys.list,
    listSessions: sessions.list,
    findLink: links.find,
    listInvitations: links.invitations,
    readStatistics: statistics.read,
    listStatisticsMonths: statistics.months,
  }
}
