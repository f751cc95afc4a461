// Entities. Deleting one takes its relations along, by the foreign keys of the schema.
import type { EntityType } from '../../contract/entity.ts'
import type { PageRequest } from '../../contract/page.ts'
import { foldText } from '../../retrieval/fold.ts'
import type { EntityFilter, EntityRecord, Page, Receipt, SpaceId } from '../store.ts'
import { pageReader, when } from './conditions.ts'
import type { Connection } from './open-database.ts'
import type { RecordReceipt } from './receipts.ts'

type Row = {
  id: string
  name: string
  type: EntityType
  description: string | null
  metadata: string | null
  created_at: number
}

const SELECT = 'SELECT id, name, type, description, metadata, created_at FROM entities'

const toEntity = (row: Row): EntityRecord => ({
  id: row.id,
  name: row.name,
  type: row.type,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
})

export function entityWrites(db: Connection, recordReceipt: RecordReceipt) {
  const insert = db.prepare(
    `INSERT INTO entities
       (space_no, id, name, name_folded, type, description, metadata, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare<[SpaceId, string]>('DELETE FROM entities WHERE space_no = ? AND id = ?')
  return {
    insert(space: SpaceId, entity: EntityRecord, receipt: Receipt): void {
      insert.run(
        space,
        entity.id,
        entity.name,
        foldText(entity.name),
        entity.type,
        entity.description ?? null,
        entity.metadata ?? null,
        entity.createdAt,
      )
      recordReceipt(receipt)
    },
    remove(space: SpaceId, id: string, receipt: Receipt): boolean {
      if (remove.run(space, id).changes === 0) return false
      recordReceipt(receipt)
      return true
    },
  }
}

export function entityReads(db: Connection) {
  const byId = db.prepare<[SpaceId, string], Row>(`${SELECT} WHERE space_no = ? AND id = ?`)
  const readPage = pageReader<Row>(db, { table: 'entities', select: SELECT })
  return {
    find(space: SpaceId, id: string): EntityRecord | undefined {
      const row = byId.get(space, id)
      return row && toEntity(row)
    },
    page(space: SpaceId, filter: EntityFilter, page: PageRequest): Page<EntityRecord> {
      const { items, total } = readPage(
        [
          ...when('space_no = ?', space),
          ...when('type = ?', filter.type),
          ...when('instr(name_folded, ?) > 0', searchedPart(filter.search)),
        ],
        page,
      )
      return { items: items.map(toEntity), total }
    },
  }
}

/** Only the empty search matches every name; one that folds to nothing is looked for as it is. */
function searchedPart(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined
  return foldText(search) || search
}
