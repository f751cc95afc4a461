// Reads everything of a store for an archive, in one read transaction: what a server writes meanwhile
// is not seen. Rows are read as they are asked for, so that memory stays small however many there
// are. A long reader keeps the log from being emptied, which docs/moving.md tells operators.
import type {
  ArchiveCounts,
  ArchivedEntity,
  ArchivedIdempotency,
  ArchivedKey,
  ArchivedMemory,
  ArchivedPiece,
  ArchivedRelation,
  ArchivedSpace,
  ArchivedStatistics,
  ArchivedUsage,
  ArchiveRecord,
  ArchiveSource,
} from '../archive.ts'
import { accountReads } from './accounts.ts'
import { generationReads, type PieceTable } from './generations.ts'
import { parseTags } from './memories.ts'
import type { Connection } from './open-database.ts'
import { numbersOf, toVector } from './pieces.ts'

type MemoryRow = Omit<ArchivedMemory, 'kind' | 'tags' | 'pieces'> & { no: number; tags: string }
type PieceRow = Omit<ArchivedPiece, 'vector'> & { vector: Buffer }

const QUERIES = {
  space: "SELECT 'space' AS kind, no AS space, created_at AS createdAt FROM spaces ORDER BY no",
  // The replaced before those that replaced them.
  key: `
    WITH RECURSIVE line (id, depth) AS (
      SELECT id, 0 FROM keys WHERE replaces_id IS NULL
      UNION ALL
      SELECT keys.id, depth + 1 FROM keys JOIN line ON keys.replaces_id = line.id)
    SELECT 'key' AS kind, id, space_no AS space, name, lower(hex(hash)) AS hash, plan, read_limit AS readLimit,
      write_limit AS writeLimit, search_limit AS searchLimit, status, created_at AS createdAt,
      last_used_at AS lastUsedAt, account_id AS accountId, prefix, replaces_id AS replacesId,
      purged_at AS purgedAt
    FROM keys JOIN line USING (id) ORDER BY depth, created_at, id`,
  usage: `SELECT 'usage' AS kind, key_id AS keyId, month, operations FROM usage
    ORDER BY key_id, month`,
  statistics: `SELECT 'statistics' AS kind, key_id AS keyId, day, kind AS counted, count FROM statistics
    ORDER BY key_id, day, kind`,
  idempotency: `SELECT 'idempotency' AS kind, key_id AS keyId, idempotency_key AS idempotencyKey, fingerprint,
      record_id AS recordId, created_at AS createdAt
    FROM idempotency ORDER BY key_id, idempotency_key`,
  entity: `SELECT 'entity' AS kind, space_no AS space, id, name, type, description, metadata, created_at AS createdAt
    FROM entities ORDER BY no`,
  relation: `SELECT 'relation' AS kind, space_no AS space, id, source_id AS sourceId, target_id AS targetId, type,
      metadata, created_at AS createdAt
    FROM relations ORDER BY no`,
} as const

/** The connection must be inside a read transaction that began before. */
export function archiveSource(db: Connection): Omit<ArchiveSource, 'close'> {
  const generations = generationReads(db)
  const table = generations.place('current')?.table ?? 'pieces'
  return {
    model: generations.find('current'),
    counts: countsOf(db),
    async *records(): AsyncGenerator<ArchiveRecord> {
      yield* db.prepare<[], ArchivedSpace>(QUERIES.space).iterate()
      for (const account of accountReads(db).list()) yield { kind: 'account', ...account }
      yield* db.prepare<[], ArchivedKey>(QUERIES.key).iterate()
      yield* db.prepare<[], ArchivedUsage>(QUERIES.usage).iterate()
      yield* db.prepare<[], ArchivedStatistics>(QUERIES.statistics).iterate()
      yield* db.prepare<[], ArchivedIdempotency>(QUERIES.idempotency).iterate()
      yield* memories(db, table)
      yield* db.prepare<[], ArchivedEntity>(QUERIES.entity).iterate()
      yield* db.prepare<[], ArchivedRelation>(QUERIES.relation).iterate()
    },
  }
}

/** In the order of their making, which re-embedding and its progress go by. */
function* memories(db: Connection, table: PieceTable): Generator<ArchivedMemory> {
  const pieces = db.prepare<[number, number], PieceRow>(
    `SELECT start_offset AS start, end_offset AS "end", commonness, terms, vector FROM ${table}
     WHERE no BETWEEN ? AND ? ORDER BY no`,
  )
  const all = db.prepare<[], MemoryRow>(
    `SELECT no, space_no AS space, id, content, user_id AS userId, agent_id AS agentId, tags,
       metadata, created_at AS createdAt
     FROM memories ORDER BY no`,
  )
  for (const { no, tags, ...row } of all.iterate()) {
    yield {
      kind: 'memory',
      ...row,
      tags: parseTags(tags),
      pieces: pieces
        .all(...numbersOf(no))
        .map(({ vector, ...piece }) => ({ ...piece, vector: toVector(vector) })),
    }
  }
}

function countsOf(db: Connection): ArchiveCounts {
  const count = (table: string): number =>
    db.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0
  return {
    space: count('spaces'),
    account: count('accounts'),
    key: count('keys'),
    usage: count('usage'),
    statistics: count('statistics'),
    idempotency: count('idempotency'),
    memory: count('memories'),
    entity: count('entities'),
    relation: count('relations'),
  }
}
