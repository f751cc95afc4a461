// Relations, and the entities at their ends.
import type { EntityType } from '../../contract/entity.ts'
import type { ExpandedRelation, RelationStore, SpaceId } from '../store.ts'
import { idOf, readPage, when } from './conditions.ts'
import { type Database, prepared } from './database.ts'
import { recordReceipt } from './receipts.ts'

type Row = {
  id: string
  source_id: string
  source_name: string
  source_type: EntityType
  target_id: string
  target_name: string
  target_type: EntityType
  type: string
  metadata: string | null
  created_at: number
}

const SELECT = `
  SELECT relations.id, relations.type, relations.metadata, relations.created_at,
    source_id, source.name AS source_name, source.type AS source_type,
    target_id, target.name AS target_name, target.type AS target_type
  FROM relations
  JOIN entities AS source ON source.space_no = relations.space_no AND source.id = source_id
  JOIN entities AS target ON target.space_no = relations.space_no AND target.id = target_id`
const BY_ID = prepared<Row>(`${SELECT} WHERE relations.space_no = $1 AND relations.id = $2`)
// Locked, so that no end goes away before the relation is there, which then goes with it. In one
// order, so that two creates never wait for each other in a circle.
const ENDS = prepared<{ id: string }>(
  `SELECT id FROM entities WHERE space_no = $1 AND id IN ($2, $3) ORDER BY id FOR KEY SHARE`,
)
const INSERT = prepared(
  `INSERT INTO relations (space_no, id, source_id, target_id, type, metadata, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
)
const REMOVE = prepared('DELETE FROM relations WHERE space_no = $1 AND id = $2')

const toRelation = (row: Row): ExpandedRelation => ({
  id: row.id,
  sourceId: row.source_id,
  targetId: row.target_id,
  type: row.type,
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
  source: { id: row.source_id, name: row.source_name, type: row.source_type },
  target: { id: row.target_id, name: row.target_name, type: row.target_type },
})

export const relationStore = (database: Database, space: SpaceId): RelationStore => ({
  insert: (relation, receipt) =>
    database.inSpace(space, async (transaction) => {
      const { sourceId, targetId } = relation
      const ends = await transaction.all(ENDS, [space, sourceId, targetId])
      const isThere = (id: string): boolean => ends.some((end) => end.id === id)
      if (!isThere(sourceId)) return 'source-missing'
      if (!isThere(targetId)) return 'target-missing'
      await transaction.run(INSERT, [
        space,
        relation.id,
        sourceId,
        targetId,
        relation.type,
        relation.metadata ?? null,
        relation.createdAt,
      ])
      await recordReceipt(transaction, receipt)
      return 'inserted'
    }),
  async find(id) {
    const row = await database.readInSpace(space, BY_ID, [space, idOf(id)])
    return row && toRelation(row)
  },
  page: (filter, page) =>
    database.snapshotOf(space, async (transaction) => {
      const { items, total } = await readPage<Row>(
        transaction,
        { table: 'relations', key: 'id', select: SELECT },
        [
          ...when('relations.space_no = ?', space),
          ...when('source_id = ?', filter.sourceId),
          ...when('target_id = ?', filter.targetId),
          ...when('relations.type = ?', filter.type),
        ],
        page,
      )
      return { items: items.map(toRelation), total }
    }),
  remove: (id, receipt) =>
    database.inSpace(space, async (transaction) => {
      if ((await transaction.run(REMOVE, [space, idOf(id)])) === 0) return false
      await recordReceipt(transaction, receipt)
      return true
    }),
})
