// Every procedure of the writer, in one object whose type the main thread shares.
import type { NewKey } from '../../records.ts'
import { accountKeyWrites } from '../account-keys.ts'
import { accountWrites } from '../accounts/accounts.ts'
import { linkWrites } from '../accounts/links.ts'
import { sessionWrites } from '../accounts/sessions.ts'
import { type Notes, notesInList } from '../commit/group-commit.ts'
import { receiptWrites } from '../commit/receipts.ts'
import { spacesInUse } from '../commit/spaces-in-use.ts'
import { entityWrites } from '../entities.ts'
import { idempotencyWrites } from '../idempotency.ts'
import type { IndexChange } from '../index/tables/indexed.ts'
import { keyWrites } from '../keys.ts'
import { countWrites } from '../lists/counts.ts'
import { memoryWrites } from '../memory-writes.ts'
import type { Connection } from '../opening/open-database.ts'
import { recordRemover } from '../purge.ts'
import { generationWrites } from '../reembedding/generations.ts'
import { relationWrites } from '../relations.ts'
import { statisticsWrites } from '../statistics.ts'
import { usageWrites } from '../usage.ts'

export type WriteProcedures = ReturnType<typeof openWrites>['procedures']

/**
 * `notes` have to be settled before each commit. `changes` collects what the search index has to
 * hear of after it.
 */
export function openWrites(db: Connection, changes: IndexChange[]) {
  const counts = countWrites(db)
  const usage = usageWrites(db)
  const recordReceipt = receiptWrites(db, usage)
  const spaces = spacesInUse(db)
  const memories = memoryWrites(db, recordReceipt, { counts, changes, spaces })
  const entities = entityWrites(db, recordReceipt, { counts, spaces })
  const relations = relationWrites(db, recordReceipt, { counts, spaces })
  const keys = keyWrites(db)
  const idempotency = idempotencyWrites(db)
  const accounts = accountWrites(db)
  const sessions = sessionWrites(db)
  const links = linkWrites(db)
  const statistics = statisticsWrites(db)
  const accountKeys = accountKeyWrites(
    db,
    recordRemover(db, {
      memory: memories.remove,
      entity: entities.remove,
      relation: relations.remove,
    }),
    spaces,
  )
  const generations = generationWrites(db)
  const notes: readonly Notes[] = [
    notesInList(changes),
    counts.notes,
    usage.notes,
    spaces.notes,
    memories.notes,
  ]
  const procedures = {
    insertMemory: memories.insert,
    removeMemory: memories.remove,
    insertEntity: entities.insert,
    removeEntity: entities.remove,
    insertRelation: relations.insert,
    removeRelation: relations.remove,
    insertKey: (key: NewKey): void => keys.insert(key),
    insertFirstKey: keys.insertFirst,
    changeKey: keys.change,
    revokeKey: keys.revoke,
    addUsage: usage.add,
    expireIdempotency: idempotency.expire,
    insertAccount: accounts.insert,
    signIn: accounts.signIn,
    changePassword: accounts.changePassword,
    touchSession: sessions.touch,
    endSession: sessions.end,
    endOtherSessions: sessions.endOthers,
    expireSessions: sessions.expire,
    insertLink: links.insert,
    useLink: links.use,
    withdrawInvitation: links.withdraw,
    expireLinks: links.expire,
    expireStatistics: statistics.expire,
    insertAccountKey: accountKeys.insert,
    revokeAccountKey: accountKeys.revoke,
    replaceAccountKey: accountKeys.replace,
    purgeAccountKey: accountKeys.purge,
    adoptModel: generations.adopt,
    /** Does nothing, but only when a commit is possible. */
    check: (): void => undefined,
    /** Answered after everything before it was committed; the worker then ends. */
    close: (): void => undefined,
  }
  return { procedures, notes }
}

/** A part: more steps follow, and the answer to the last of them alone promises something. */
type Deleted = 'nothing' | 'a part' | 'all'

const ofRemoval = (removed: unknown): Deleted => (removed === true ? 'all' : 'nothing')
/** A purge that is refused says why, in a text. */
const ofPurge = (step: unknown): Deleted =>
  typeof step !== 'object' ? 'nothing' : Object(step).isDone === true ? 'all' : 'a part'

/** The procedures after whose success a text has to leave the files, each with what its result says of that. */
export const DELETIONS: ReadonlyMap<string, (result: unknown) => Deleted> = new Map<
  keyof WriteProcedures,
  (result: unknown) => Deleted
>([
  ['removeMemory', ofRemoval],
  ['removeEntity', ofRemoval],
  ['removeRelation', ofRemoval],
  ['purgeAccountKey', ofPurge],
])
