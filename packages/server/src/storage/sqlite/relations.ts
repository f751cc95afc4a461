// Relations. One is only inserted while both of its ends are there.
import { RELATION_COLUMNS, type RelationRow, toRelation } from '../record-rows.ts'
import type { ExpandedRelation, RelationRecord, SpaceId } from '../records.ts'
import type { Receipt, RelationFilter, RelationInsertion } from '../store.ts'
import type { RecordReceipt } from './commit/receipts.ts'
import type { SpacesInUse } from './commit/spaces-in-use.ts'
import type { CountedRelation, CountKind, Counts } from './lists/counts.ts'
import { type Filter, type Group, listReader } from './lists/lists.ts'
import type { Connection } from './opening/open-database.ts'

const SELECT = `SELECT ${RELATION_COLUMNS} FROM relations
  JOIN entities AS source ON source.space_no = relations.space_no AND source.id = source_id
  JOIN entities AS target ON target.space_no = relations.space_no AND target.id = target_id`
const WHOLE: Group = {
  kind: 'relations',
  value: '',
  from: 'relations AS listed INDEXED BY relations_by_time',
  no: 'listed.no',
}
const BY_SOURCE = { index: 'relations_by_source', column: 'source_id' }
const BY_TARGET = { index: 'relations_by_target', column: 'target_id' }
const BY_TYPE = { index: 'relations_by_type', column: 'type' }
const group = (
  kind: CountKind,
  { index, column }: { index: string; column: string },
  value: string | undefined,
): Group[] => {
  if (value === undefined) return []
  const from = `relations AS listed INDEXED BY ${index}`
  return [{ kind, value, from, no: 'listed.no', where: `listed.${column} = ?` }]
}

export function relationWrites(
  db: Connection,
  recordReceipt: RecordReceipt,
  { counts, spaces }: { counts: Counts; spaces: SpacesInUse },
) {
  const entityExists = db
    .prepare<[SpaceId, string], number>('SELECT 1 FROM entities WHERE space_no = ? AND id = ?')
    .pluck()
  const insert = db.prepare(
    `INSERT INTO relations (space_no, id, source_id, target_id, type, metadata, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare<[SpaceId, string], CountedRelation>(
    `DELETE FROM relations WHERE space_no = ? AND id = ?
     RETURNING type, source_id AS sourceId, target_id AS targetId`,
  )
  return {
    insert(space: SpaceId, relation: RelationRecord, receipt: Receipt): RelationInsertion {
      spaces.expect(space)
      if (entityExists.get(space, relation.sourceId) === undefined) return 'source-missing'
      if (entityExists.get(space, relation.targetId) === undefined) return 'target-missing'
      insert.run(
        space,
        relation.id,
        relation.sourceId,
        relation.targetId,
        relation.type,
        relation.metadata ?? null,
        relation.createdAt,
      )
      counts.relation(space, 1, relation)
      recordReceipt(receipt)
      return 'inserted'
    },
    remove(space: SpaceId, id: string, receipt: Receipt): boolean {
      const removed = remove.get(space, id)
      if (removed === undefined) return false
      counts.relation(space, -1, removed)
      recordReceipt(receipt)
      return true
    },
  }
}

const toListFilter = ({ sourceId, targetId, type }: RelationFilter): Filter => ({
  groups: [
    ...group('relations from', BY_SOURCE, sourceId),
    ...group('relations to', BY_TARGET, targetId),
    ...group('relations of type', BY_TYPE, type),
  ],
})

export function relationReads(db: Connection) {
  const byId = db.prepare<[SpaceId, string], RelationRow>(
    `${SELECT} WHERE relations.space_no = ? AND relations.id = ?`,
  )
  const list = listReader<RelationFilter, RelationRow, ExpandedRelation>(db, {
    table: 'relations',
    select: SELECT,
    toFilter: toListFilter,
    toItem: toRelation,
    whole: WHOLE,
  })
  return {
    find(space: SpaceId, id: string): ExpandedRelation | undefined {
      const row = byId.get(space, id)
      return row && toRelation(row)
    },
    ...list,
  }
}
