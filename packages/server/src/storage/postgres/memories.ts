// Memories: row, tags, terms and vectors in one transaction.
import { withTerms } from '../pieces-with-terms.ts'
import type { Questions } from '../questions.ts'
import type { SpaceId } from '../records.ts'
import type { MemoryStore } from '../store.ts'
import { bindableId } from './bindable-id.ts'
import type { Database, Snapshot } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { readMemoryPage } from './memory-lists.ts'
import type { MemoryNumbers } from './memory-numbers.ts'
import { MEMORY_LIST, type MemoryRow, toMemory } from './memory-rows.ts'
import { countDown, findTerms, insertPieces, removeTerms, type TermsToRemove } from './pieces.ts'
import { recordReceipt } from './receipts.ts'
import { expectInUse, holdGeneration } from './reembedding/generations.ts'
import { searchMemories } from './searches.ts'
import { holdSpace } from './spaces-in-use.ts'
import type { RowCounts } from './upkeep/row-counts.ts'
import type { Upkeep } from './upkeep/upkeep.ts'

const BY_ID = prepared<MemoryRow>(`${MEMORY_LIST.select} WHERE space_no = $1 AND id = $2`)
const INSERT = prepared(
  `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, metadata, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const INSERT_TAGS = prepared(
  `INSERT INTO memory_tags (space_no, tag, memory_no) SELECT $1, tag, $2 FROM unnest($3::text[]) AS tag`,
)
// Locked, so that of two deletions the second one finds nothing.
const LOCK = prepared<{ no: number; tags: string[] }>(
  'SELECT no, tags FROM memories WHERE space_no = $1 AND id = $2 FOR UPDATE',
)
const REMOVE_TAGS = prepared(
  'DELETE FROM memory_tags WHERE space_no = $1 AND tag = ANY($2::text[]) AND memory_no = $3',
)
// The foreign keys take the pieces of every generation along.
const REMOVE = prepared('DELETE FROM memories WHERE space_no = $1 AND no = $2')

export type MemoryTools = {
  upkeep: Upkeep
  rowCounts: RowCounts
  numbers: MemoryNumbers
  questions: Questions
}

export const memoryStore = (
  database: Database,
  { upkeep, rowCounts, numbers, questions }: MemoryTools,
  space: SpaceId,
  snapshot: Snapshot,
): MemoryStore => ({
  async insert(memory, pieces, receipt, generation, pace) {
    const embedded = withTerms(memory.content, pieces)
    await database.atPace(pace, space, () =>
      numbers.use((no) =>
        database.atOnceInSpace(space, async (transaction) => {
          await Promise.all([
            holdSpace(transaction, space),
            holdGeneration(transaction),
            expectInUse(transaction, generation),
            transaction.run(INSERT, [
              space,
              no,
              memory.id,
              memory.content,
              memory.userId,
              memory.agentId ?? null,
              memory.tags,
              memory.metadata ?? null,
              memory.createdAt,
            ]),
            transaction.run(INSERT_TAGS, [space, no, memory.tags]),
            insertPieces(transaction, { space, generation, memoryNo: no }, embedded),
            recordReceipt(transaction, receipt),
          ])
        }),
      ),
    )
    upkeep.noteCreated(space, generation)
    rowCounts.noteWritten(space, 'memories')
  },

  async find(id) {
    const row = await database.readInSpace(space, BY_ID, [space, bindableId(id)])
    return row && toMemory(row)
  },

  page: (filter, page) => readMemoryPage(snapshot, { space, rowCounts }, filter, page),

  search(asked, filter, cut, generation) {
    const query = questions.read(space, asked, generation)
    return searchMemories(snapshot, space, { query, filter, cut, generation }, upkeep)
  },

  expectSearch: (question, generation) => {
    questions.expect(space, question, generation)
  },

  async remove(id, receipt) {
    const removed = await database.lookThenWriteInSpace(
      space,
      (transaction) => lockMemory(transaction, space, id),
      async (transaction, found) => {
        if (found === undefined) return false
        await Promise.all([
          removeLocked(transaction, space, found),
          recordReceipt(transaction, receipt),
        ])
        return true
      },
    )
    if (removed) rowCounts.noteWritten(space, 'memories')
    return removed
  },
})

type Locked = { no: number; tags: string[]; terms: TermsToRemove[] }

/** Undefined when there is no such memory. */
export async function lockMemory(
  transaction: Transaction,
  space: SpaceId,
  id: string,
): Promise<Locked | undefined> {
  const row = await transaction.one(LOCK, [space, bindableId(id)])
  return row && { ...row, terms: await findTerms(transaction, space, row.no) }
}

/**
 * With everything that was stored for it. All is sent before anything is waited for, and last what others
 * wait for: the counts.
 */
export async function removeLocked(
  transaction: Transaction,
  space: SpaceId,
  { no, tags, terms }: Locked,
): Promise<void> {
  await Promise.all([
    transaction.run(REMOVE_TAGS, [space, tags, no]),
    ...terms.map((own) => removeTerms(transaction, space, own)),
    transaction.run(REMOVE, [space, no]),
    ...terms.map((own) => countDown(transaction, space, own)),
  ])
}
