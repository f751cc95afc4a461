// Entities. Deleting one takes its relations along, by the foreign keys of the schema.
import type { EntityType } from '../../contract/entities.ts'
import { foldName } from '../../retrieval/fold.ts'
import { type EntityRow, searchedPart, toEntity } from '../record-rows.ts'
import type { EntityRecord, SpaceId } from '../records.ts'
import type { EntityFilter, Receipt } from '../store.ts'
import type { RecordReceipt } from './commit/receipts.ts'
import type { SpacesInUse } from './commit/spaces-in-use.ts'
import type { CountedRelation, Counts } from './lists/counts.ts'
import { type Filter, type Group, listReader } from './lists/lists.ts'
import type { Connection } from './opening/open-database.ts'

const WHOLE: Group = {
  kind: 'entities',
  value: '',
  from: 'entities AS listed INDEXED BY entities_by_time',
  no: 'listed.no',
}
const ofType = (type: EntityType): Group => ({
  kind: 'entities of type',
  value: type,
  from: 'entities AS listed INDEXED BY entities_by_type',
  no: 'listed.no',
  where: 'listed.type = ?',
})

const SELECT = 'SELECT id, name, type, description, metadata, created_at FROM entities'

export function entityWrites(
  db: Connection,
  recordReceipt: RecordReceipt,
  { counts, spaces }: { counts: Counts; spaces: SpacesInUse },
) {
  const insert = db.prepare(
    `INSERT INTO entities
       (space_no, id, name, name_folded, type, description, metadata, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const find = db.prepare<[SpaceId, string], Pick<EntityRow, 'type'>>(
    'SELECT type FROM entities WHERE space_no = ? AND id = ?',
  )
  const relationsOf = db.prepare<[SpaceId, string, SpaceId, string], CountedRelation>(
    `SELECT type, source_id AS sourceId, target_id AS targetId FROM relations
     WHERE space_no = ? AND source_id = ?
     UNION ALL
     SELECT type, source_id, target_id FROM relations
     WHERE space_no = ? AND target_id = ? AND source_id <> target_id`,
  )
  const remove = db.prepare<[SpaceId, string]>('DELETE FROM entities WHERE space_no = ? AND id = ?')
  return {
    insert(space: SpaceId, entity: EntityRecord, receipt: Receipt): void {
      spaces.expect(space)
      insert.run(
        space,
        entity.id,
        entity.name,
        foldName(entity.name),
        entity.type,
        entity.description ?? null,
        entity.metadata ?? null,
        entity.createdAt,
      )
      counts.entity(space, 1, entity)
      recordReceipt(receipt)
    },
    remove(space: SpaceId, id: string, receipt: Receipt): boolean {
      const entity = find.get(space, id)
      if (entity === undefined) return false
      for (const relation of relationsOf.iterate(space, id, space, id)) {
        counts.relation(space, -1, relation)
      }
      remove.run(space, id)
      counts.entity(space, -1, entity)
      recordReceipt(receipt)
      return true
    },
  }
}

function toListFilter({ type, search }: EntityFilter): Filter {
  const part = searchedPart(search)
  return {
    groups: type === undefined ? [] : [ofType(type)],
    conditions:
      part === undefined ? [] : [{ sql: 'instr(listed.name_folded, ?) > 0', values: [part] }],
  }
}

export function entityReads(db: Connection) {
  const byId = db.prepare<[SpaceId, string], EntityRow>(`${SELECT} WHERE space_no = ? AND id = ?`)
  const list = listReader<EntityFilter, EntityRow, EntityRecord>(db, {
    table: 'entities',
    select: SELECT,
    toFilter: toListFilter,
    toItem: toEntity,
    whole: WHOLE,
  })
  return {
    find(space: SpaceId, id: string): EntityRecord | undefined {
      const row = byId.get(space, id)
      return row && toEntity(row)
    },
    ...list,
  }
}
