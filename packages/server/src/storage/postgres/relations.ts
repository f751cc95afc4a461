// Relations. One is only inserted while both of its ends are there.
import { RELATION_COLUMNS, type RelationRow, toRelation } from '../record-rows.ts'
import type { SpaceId } from '../records.ts'
import type { RelationStore } from '../store.ts'
import { bindableId } from './bindable-id.ts'
import { when } from './conditions.ts'
import type { Database, Snapshot } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'
import { readPage } from './pages.ts'
import { recordReceipt } from './receipts.ts'
import { oneByItself } from './search/plans.ts'
import { holdSpace } from './spaces-in-use.ts'
import type { RowCounts } from './upkeep/row-counts.ts'

const END = 'SELECT name, type FROM entities WHERE space_no = relations.space_no AND id ='
// However few relations there are, the planner may rather read all entities than look up their ends.
const SELECT = `SELECT ${RELATION_COLUMNS} FROM relations
  ${oneByItself(`${END} source_id`, 'source')} ${oneByItself(`${END} target_id`, 'target')}`
const LIST = { table: 'relations', key: 'id', select: SELECT, toItem: toRelation } as const
const BY_ID = prepared<RelationRow>(`${SELECT} WHERE relations.space_no = $1 AND relations.id = $2`)
// Locked, so that no end goes away before the relation is there, which then goes with it. Creates do not
// wait for each other: they share such a lock.
const ENDS = prepared<{ id: string }>(
  `SELECT id FROM entities WHERE space_no = $1 AND id IN ($2, $3) FOR KEY SHARE`,
)
const INSERT = prepared(
  `INSERT INTO relations (space_no, id, source_id, target_id, type, metadata, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
)
const REMOVE = prepared('DELETE FROM relations WHERE space_no = $1 AND id = $2')

export const relationStore = (
  database: Database,
  rowCounts: RowCounts,
  space: SpaceId,
  snapshot: Snapshot,
): RelationStore => ({
  async insert(relation, receipt) {
    const result = await database.lookThenWriteInSpace(
      space,
      async (transaction) => {
        const [, ends] = await Promise.all([
          holdSpace(transaction, space),
          transaction.all(ENDS, [space, relation.sourceId, relation.targetId]),
        ])
        return new Set(ends.map(({ id }) => id))
      },
      async (transaction, ends) => {
        if (!ends.has(relation.sourceId)) return 'source-missing'
        if (!ends.has(relation.targetId)) return 'target-missing'
        const values = [
          space,
          relation.id,
          relation.sourceId,
          relation.targetId,
          relation.type,
          relation.metadata ?? null,
          relation.createdAt,
        ]
        await Promise.all([transaction.run(INSERT, values), recordReceipt(transaction, receipt)])
        return 'inserted'
      },
    )
    if (result === 'inserted') rowCounts.noteWritten(space, 'relations')
    return result
  },
  async find(id) {
    const row = await database.readInSpace(space, BY_ID, [space, bindableId(id)])
    return row && toRelation(row)
  },
  page({ sourceId, targetId, type }, page) {
    const conditions = [
      ...when('source_id = ?', sourceId),
      ...when('target_id = ?', targetId),
      ...when('relations.type = ?', type),
    ]
    return readPage(snapshot, { ...LIST, space, rowCounts, conditions }, page)
  },
  async remove(id, receipt) {
    const removed = await database.lookThenWriteInSpace(
      space,
      (transaction) => transaction.run(REMOVE, [space, bindableId(id)]),
      async (transaction, removed) => {
        if (removed !== 1) return false
        await recordReceipt(transaction, receipt)
        return true
      },
    )
    if (removed) rowCounts.noteWritten(space, 'relations')
    return removed
  },
})
