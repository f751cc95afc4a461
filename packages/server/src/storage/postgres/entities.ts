// Entities. One goes with its relations, in one transaction. However many these are, each statement removes
// some hundred of them and stays far below the time that it may take. All lock them in one order: of two entities
// that are linked both ways, each would wait for the other. Whatever is left, the foreign keys of the schema
// take along.
import { foldName } from '../../retrieval/fold.ts'
import { type EntityRow, searchedPart, toEntity } from '../record-rows.ts'
import type { SpaceId } from '../records.ts'
import type { EntityStore } from '../store.ts'
import { bindableId } from './bindable-id.ts'
import { when } from './conditions.ts'
import type { Database, Snapshot } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { readPage } from './pages.ts'
import { recordReceipt } from './receipts.ts'
import { holdSpace } from './spaces-in-use.ts'
import type { RowCounts } from './upkeep/row-counts.ts'

const SELECT = `SELECT entities.id, name, type, description, metadata, entities.created_at
  FROM entities`
const LIST = { table: 'entities', key: 'id', select: SELECT, toItem: toEntity } as const
const BY_ID = prepared<EntityRow>(`${SELECT} WHERE space_no = $1 AND id = $2`)
const INSERT = prepared(
  `INSERT INTO entities (space_no, id, name, name_folded, type, description, metadata, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
/** From here on nobody adds a relation to it: that takes a lock of both ends. */
const LOCK = prepared('SELECT 1 FROM entities WHERE space_no = $1 AND id = $2 FOR UPDATE')
const RELATIONS_AT_ONCE = 1_000
type Place = { created_at: number; id: string }
const BEFORE_ALL: Place = { created_at: Number.MAX_SAFE_INTEGER, id: '' }
// The first condition alone may use an index under row-level security.
const relationsBy = (end: 'source_id' | 'target_id') =>
  `(SELECT created_at, id FROM relations WHERE space_no = $1 AND ${end} = $2
      AND created_at <= $3 AND (created_at < $3 OR id < $4)
    ORDER BY created_at DESC, id DESC LIMIT ${RELATIONS_AT_ONCE})`
// Each is locked by itself, which the inner limit sees to, so that the order is that of the list. It goes on
// behind the last one of the statement before: those that are removed stay in the indexes.
const REMOVE_RELATIONS = prepared<Place & { is_full: boolean }>(
  `WITH own AS MATERIALIZED (
     ${relationsBy('source_id')} UNION ${relationsBy('target_id')}
     ORDER BY created_at DESC, id DESC LIMIT ${RELATIONS_AT_ONCE}),
   held AS MATERIALIZED (
     SELECT own.id FROM own CROSS JOIN LATERAL (
       SELECT FROM relations WHERE space_no = $1 AND id = own.id LIMIT 1 FOR UPDATE) AS one),
   removed AS (
     DELETE FROM relations WHERE space_no = $1 AND id = ANY(ARRAY(SELECT id FROM held)))
   SELECT created_at, id, (SELECT count(*) FROM own) = ${RELATIONS_AT_ONCE} AS is_full FROM own
   ORDER BY created_at, id LIMIT 1`,
)
const REMOVE = prepared('DELETE FROM entities WHERE space_no = $1 AND id = $2')

export const entityStore = (
  database: Database,
  rowCounts: RowCounts,
  space: SpaceId,
  snapshot: Snapshot,
): EntityStore => ({
  async insert(entity, receipt) {
    await database.atOnceInSpace(space, async (transaction) => {
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
    })
    rowCounts.noteWritten(space, 'entities')
  },
  async find(id) {
    const row = await database.readInSpace(space, BY_ID, [space, bindableId(id)])
    return row && toEntity(row)
  },
  page({ type, search }, page) {
    const conditions = [
      ...when('type = ?', type),
      ...when('position(? IN name_folded) > 0', searchedPart(search)),
    ]
    return readPage(snapshot, { ...LIST, space, rowCounts, conditions }, page)
  },
  async remove(id, receipt) {
    const bound = bindableId(id)
    const removed = await database.lookThenWriteInSpace(
      space,
      async (transaction) => {
        const [isThere] = await Promise.all([
          transaction.run(LOCK, [space, bound]),
          removeRelations(transaction, space, bound),
        ])
        return isThere === 1
      },
      async (transaction, isThere) => {
        if (!isThere) return false
        await Promise.all([
          transaction.run(REMOVE, [space, bound]),
          recordReceipt(transaction, receipt),
        ])
        return true
      },
    )
    if (removed) {
      rowCounts.noteWritten(space, 'entities')
      rowCounts.noteWritten(space, 'relations')
    }
    return removed
  },
})

/** Of an entity that is locked by a statement before. */
async function removeRelations(
  transaction: Transaction,
  space: SpaceId,
  entity: string,
): Promise<void> {
  let last: (Place & { is_full: boolean }) | undefined = { ...BEFORE_ALL, is_full: true }
  while (last?.is_full === true) {
    last = await transaction.one(REMOVE_RELATIONS, [space, entity, last.created_at, last.id])
  }
}
