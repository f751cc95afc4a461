// Entities. Deleting one takes its relations along, by the foreign keys of the schema. These would lock first
// those that begin there and then those that end there, and of two entities that are linked both ways each
// would wait for the other. So all are locked before, in one order for everybody.
import { foldName } from '../../retrieval/fold.ts'
import { type EntityRow, searchedPart, toEntity } from '../record-rows.ts'
import type { SpaceId } from '../records.ts'
import type { EntityStore } from '../store.ts'
import { bindableId } from './bindable-id.ts'
import { readPage, when } from './conditions.ts'
import type { Database } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'
import { recordReceipt, removeRow } from './receipts.ts'
import { holdSpace } from './spaces-in-use.ts'

const SELECT = `SELECT entities.id, name, type, description, metadata, entities.created_at
  FROM entities`
const BY_ID = prepared<EntityRow>(`${SELECT} WHERE space_no = $1 AND id = $2`)
const INSERT = prepared(
  `INSERT INTO entities (space_no, id, name, name_folded, type, description, metadata, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
/** From here on nobody adds a relation to it: that takes a lock of both ends. */
const LOCK = prepared('SELECT 1 FROM entities WHERE space_no = $1 AND id = $2 FOR UPDATE')
// Each is locked by itself, which the limit sees to, so that the order is that of the list.
const LOCK_RELATIONS = prepared(
  `SELECT count(*) FROM (
     SELECT id FROM relations WHERE space_no = $1 AND source_id = $2
     UNION
     SELECT id FROM relations WHERE space_no = $1 AND target_id = $2
     ORDER BY id) AS own
   CROSS JOIN LATERAL (
     SELECT FROM relations WHERE space_no = $1 AND id = own.id LIMIT 1 FOR UPDATE) AS held`,
)
const REMOVE = prepared('DELETE FROM entities WHERE space_no = $1 AND id = $2')

export const entityStore = (database: Database, space: SpaceId): EntityStore => ({
  insert: (entity, receipt) =>
    database.atOnceInSpace(space, async (transaction) => {
      const held = holdSpace(transaction, space)
      const inserted = transaction.run(INSERT, [
        space,
        entity.id,
        entity.name,
        foldName(entity.name),
        entity.type,
        entity.description ?? null,
        entity.metadata ?? null,
        entity.createdAt,
      ])
      await Promise.all([held, inserted, recordReceipt(transaction, receipt)])
    }),
  async find(id) {
    const row = await database.readInSpace(space, BY_ID, [space, bindableId(id)])
    return row && toEntity(row)
  },
  page: (filter, page) =>
    database.snapshotOf(space, async (transaction) => {
      const { items, total } = await readPage<EntityRow>(
        transaction,
        { table: 'entities', key: 'id', select: SELECT },
        [
          ...when('entities.space_no = ?', space),
          ...when('type = ?', filter.type),
          ...when('position(? IN name_folded) > 0', searchedPart(filter.search)),
        ],
        page,
      )
      return { items: items.map(toEntity), total }
    }),
  remove: (id, receipt) =>
    removeRow(database, space, {
      statements: [LOCK, LOCK_RELATIONS, REMOVE],
      id: bindableId(id),
      receipt,
    }),
})
