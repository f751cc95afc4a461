// The rows of an archive that may be many, in short steps: each is a snapshot of its own and is in memory
// as a whole, so that no reader stays open while records are written out, however slowly. What came after
// the archive was begun is known by its number or its time, and left out; usage and statistics
// are those of their step.
import type {
  ArchivedEntity,
  ArchivedIdempotency,
  ArchivedMemory,
  ArchivedPiece,
  ArchivedRelation,
  ArchivedStatistics,
  ArchivedUsage,
} from '../../archive.ts'
import { parseTags } from '../memories.ts'
import type { Connection } from '../opening/open-database.ts'
import { numbersOf, toVector } from '../pieces.ts'
import { generationReads, type PieceTable } from '../reembedding/generations.ts'

/** Of one step. */
const ROWS_MAX = 500
const BYTES_MAX = 4 * 1024 * 1024

/** The last that there is of each when the archive begins. */
type Last = {
  idempotencyMadeAt: number
  memory: number
  entity: number
  /** A number alone does not tell: a later one may have that of an entity or a relation that is gone. */
  entityMadeAt: number
  relation: number
  relationMadeAt: number
}

export function lastRows(db: Connection): Last {
  const last = db
    .prepare<[], Last>(
      `SELECT
         (SELECT coalesce(max(created_at), 0) FROM idempotency) AS idempotencyMadeAt,
         (SELECT coalesce(max(no), 0) FROM memories) AS memory,
         (SELECT coalesce(max(no), 0) FROM entities) AS entity,
         (SELECT coalesce(max(created_at), 0) FROM entities) AS entityMadeAt,
         (SELECT coalesce(max(no), 0) FROM relations) AS relation,
         (SELECT coalesce(max(created_at), 0) FROM relations) AS relationMadeAt`,
    )
    .get()
  if (last === undefined) throw new Error('Nothing was looked up.')
  return last
}

/** A record, and the place behind which the next step goes on. */
type Placed<Place, Record> = { place: Place; record: Record }

/** `read` returns what comes behind a place, in the order of places, and nothing at the end. */
function* inSteps<Place, Record>(
  db: Connection,
  start: Place,
  read: (after: Place) => Placed<Place, Record>[],
): Generator<Record> {
  const snapshot = db.transaction(read)
  let passed = start
  for (;;) {
    const step = snapshot(passed)
    for (const { record } of step) yield record
    const reached = step.at(-1)
    if (reached === undefined) return
    passed = reached.place
  }
}

export function usageInSteps(db: Connection): Generator<ArchivedUsage> {
  const rows = db.prepare<[string, string], ArchivedUsage>(
    `SELECT 'usage' AS kind, key_id AS keyId, month, operations FROM usage
     WHERE (key_id, month) > (?, ?) ORDER BY key_id, month LIMIT ${ROWS_MAX}`,
  )
  return inSteps<[string, string], ArchivedUsage>(db, ['', ''], (after) =>
    rows.all(...after).map((record) => ({ place: [record.keyId, record.month], record })),
  )
}

export function statisticsInSteps(db: Connection): Generator<ArchivedStatistics> {
  const rows = db.prepare<[string, string, string], ArchivedStatistics>(
    `SELECT 'statistics' AS kind, key_id AS keyId, day, kind AS counted, count FROM statistics
     WHERE (key_id, day, kind) > (?, ?, ?) ORDER BY key_id, day, statistics.kind LIMIT ${ROWS_MAX}`,
  )
  return inSteps<[string, string, string], ArchivedStatistics>(db, ['', '', ''], (after) =>
    rows.all(...after).map((record) => ({
      place: [record.keyId, record.day, record.counted],
      record,
    })),
  )
}

/** Of a create that is remembered: whether what it made is in the table and came too late. */
const madeIn = (table: 'memories' | 'entities' | 'relations', isLate: string): string =>
  `coalesce((SELECT ${isLate} FROM keys JOIN ${table} AS record USING (space_no)
     WHERE keys.id = key_id AND record.id = record_id), FALSE)`

/**
 * Without those whose record came later, although their time, that of the request, may be before: a store
 * that has them without the record would answer a repeated request with what is not there.
 */
export function idempotencyInSteps(db: Connection, last: Last): Generator<ArchivedIdempotency> {
  const rows = db.prepare<[string, string, Last], ArchivedIdempotency>(
    `SELECT 'idempotency' AS kind, key_id AS keyId, idempotency_key AS idempotencyKey, fingerprint,
       record_id AS recordId, created_at AS createdAt
     FROM idempotency WHERE (key_id, idempotency_key) > (?, ?) AND created_at <= @idempotencyMadeAt
       AND NOT ${madeIn('memories', 'no > @memory')}
       AND NOT ${madeIn('entities', 'no > @entity OR record.created_at > @entityMadeAt')}
       AND NOT ${madeIn('relations', 'no > @relation OR record.created_at > @relationMadeAt')}
     ORDER BY key_id, idempotency_key LIMIT ${ROWS_MAX}`,
  )
  return inSteps<[string, string], ArchivedIdempotency>(db, ['', ''], (after) =>
    rows.all(...after, last).map((record) => ({
      place: [record.keyId, record.idempotencyKey],
      record,
    })),
  )
}

type MemoryRow = Omit<ArchivedMemory, 'kind' | 'tags' | 'pieces'> & { no: number; tags: string }
type PieceRow = Omit<ArchivedPiece, 'vector'> & { vector: Buffer }

/**
 * In the order of their making, which re-embedding and its progress go by. Throws a StoreError,
 * `outdated`, when another generation of vectors came into use.
 */
export function memoriesInSteps(
  db: Connection,
  { memory: last }: Last,
  generation: number,
): Generator<ArchivedMemory> {
  const { tableInUse } = generationReads(db)
  const rows = db.prepare<[number, number], MemoryRow>(
    `SELECT no, space_no AS space, id, content, user_id AS userId, agent_id AS agentId, tags,
       metadata, created_at AS createdAt
     FROM memories WHERE no > ? AND no <= ? ORDER BY no`,
  )
  const prepare = (table: PieceTable) =>
    db.prepare<[number, number], PieceRow>(
      `SELECT start_offset AS start, end_offset AS "end", commonness, terms, vector FROM ${table}
       WHERE no BETWEEN ? AND ? ORDER BY no`,
    )
  const piecesIn = { pieces: prepare('pieces'), pieces_beside: prepare('pieces_beside') }
  return inSteps(db, 0, (after) => {
    const table = tableInUse(generation)
    const step: Placed<number, ArchivedMemory>[] = []
    let bytes = 0
    for (const { no, tags, ...row } of rows.iterate(after, last)) {
      const pieces = piecesIn[table].all(...numbersOf(no)).map(({ vector, ...piece }) => {
        bytes += vector.byteLength
        return { ...piece, vector: toVector(vector) }
      })
      const record: ArchivedMemory = { kind: 'memory', ...row, tags: parseTags(tags), pieces }
      step.push({ place: no, record })
      if (step.length === ROWS_MAX || bytes >= BYTES_MAX) break
    }
    return step
  })
}

export function entitiesInSteps(
  db: Connection,
  { entity, entityMadeAt }: Last,
): Generator<ArchivedEntity> {
  const rows = db.prepare<[number, number, number], ArchivedEntity & { no: number }>(
    `SELECT no, 'entity' AS kind, space_no AS space, id, name, type, description, metadata,
       created_at AS createdAt
     FROM entities WHERE no > ? AND no <= ? AND created_at <= ? ORDER BY no LIMIT ${ROWS_MAX}`,
  )
  return inSteps(db, 0, (after) =>
    rows
      .all(after, entity, entityMadeAt)
      .map(({ no, ...record }): Placed<number, ArchivedEntity> => ({ place: no, record })),
  )
}

/**
 * Of a relation: an end that came later is not in the archive. The clock may have been set back. It is no
 * EXISTS, for which SQLite may look through all entities instead of looking one up.
 */
const wasThere = (end: 'source_id' | 'target_id'): string =>
  `(SELECT entity.no <= @entity AND entity.created_at <= @entityMadeAt FROM entities AS entity
     WHERE entity.space_no = relations.space_no AND entity.id = ${end})`

/** After the entities: an entity takes its relations along, so those of a relation were read. */
export function relationsInSteps(db: Connection, last: Last): Generator<ArchivedRelation> {
  const rows = db.prepare<[number, Last], ArchivedRelation & { no: number }>(
    `SELECT no, 'relation' AS kind, space_no AS space, id, source_id AS sourceId,
       target_id AS targetId, type, metadata, created_at AS createdAt
     FROM relations WHERE no > ? AND no <= @relation AND created_at <= @relationMadeAt
       AND ${wasThere('source_id')} AND ${wasThere('target_id')}
     ORDER BY no LIMIT ${ROWS_MAX}`,
  )
  return inSteps(db, 0, (after) =>
    rows
      .all(after, last)
      .map(({ no, ...record }): Placed<number, ArchivedRelation> => ({ place: no, record })),
  )
}
