// Reads everything of a database for an archive, in one transaction that sees one moment, by cursors:
// memory stays small however many rows there are. Memories and their pieces are two cursors in one
// order, so that both are read from their indexes and nothing is sorted.
import type {
  ArchiveCounts,
  ArchivedAccount,
  ArchivedEntity,
  ArchivedIdempotency,
  ArchivedKey,
  ArchivedMemory,
  ArchivedPiece,
  ArchivedRelation,
  ArchivedSpace,
  ArchivedStatistics,
  ArchivedUsage,
  ArchiveKind,
  ArchiveRecord,
  ArchiveSource,
} from '../../archive.ts'
import { readVector } from '../connection/binary.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { findGeneration } from '../reembedding/generations.ts'

const ROWS_AT_ONCE = 500

const QUERIES = {
  space: `SELECT 'space' AS kind, no AS space, created_at AS "createdAt" FROM spaces ORDER BY no`,
  account: `SELECT 'account' AS kind, id, email, role, plans::json AS plans, password,
      created_at AS "createdAt"
    FROM accounts ORDER BY created_at, id`,
  // The replaced before those that replaced them.
  key: `
    WITH RECURSIVE line (id, depth) AS (
      SELECT id, 0 FROM keys WHERE replaces_id IS NULL
      UNION ALL
      SELECT keys.id, depth + 1 FROM keys JOIN line ON keys.replaces_id = line.id)
    SELECT 'key' AS kind, id, space_no AS space, name, encode(hash, 'hex') AS hash, plan,
      read_limit AS "readLimit", write_limit AS "writeLimit", search_limit AS "searchLimit", status,
      created_at AS "createdAt", last_used_at AS "lastUsedAt", account_id AS "accountId", prefix,
      replaces_id AS "replacesId", purged_at AS "purgedAt"
    FROM keys JOIN line USING (id) ORDER BY depth, created_at, id`,
  usage: `SELECT 'usage' AS kind, key_id AS "keyId", month, operations FROM usage
    ORDER BY key_id, month`,
  statistics: `SELECT 'statistics' AS kind, key_id AS "keyId", day, kind AS counted, count
    FROM statistics ORDER BY key_id, day, statistics.kind`,
  idempotency: `SELECT 'idempotency' AS kind, key_id AS "keyId",
      idempotency_key AS "idempotencyKey", fingerprint, record_id AS "recordId",
      created_at AS "createdAt"
    FROM idempotency ORDER BY key_id, idempotency_key`,
  memory: `SELECT 'memory' AS kind, no, space_no AS space, id, content, user_id AS "userId",
      agent_id AS "agentId", tags, metadata, created_at AS "createdAt"
    FROM memories ORDER BY space_no, no`,
  entity: `SELECT 'entity' AS kind, space_no AS space, id, name, type, description, metadata,
      created_at AS "createdAt"
    FROM entities ORDER BY space_no, id`,
  relation: `SELECT 'relation' AS kind, space_no AS space, id, source_id AS "sourceId",
      target_id AS "targetId", type, metadata, created_at AS "createdAt"
    FROM relations ORDER BY space_no, id`,
} as const satisfies Record<ArchiveKind, string>

const pieceQuery = (generation: number): string =>
  `SELECT space_no AS space, memory_no AS "memoryNo", start_offset AS start, end_offset AS "end", commonness,
     array_to_string(terms, ' ') AS terms, vector_send(vector) AS vector
   FROM pieces WHERE generation = ${generation} ORDER BY space_no, memory_no, part`

const COUNTS = prepared<ArchiveCounts>(
  `SELECT (SELECT count(*) FROM spaces) AS space, (SELECT count(*) FROM accounts) AS account,
     (SELECT count(*) FROM keys) AS key, (SELECT count(*) FROM usage) AS usage,
     (SELECT count(*) FROM statistics) AS statistics,
     (SELECT count(*) FROM idempotency) AS idempotency,
     (SELECT count(*) FROM memories) AS memory, (SELECT count(*) FROM entities) AS entity,
     (SELECT count(*) FROM relations) AS relation`,
)

type MemoryRow = Omit<ArchivedMemory, 'pieces'> & { no: number }
type PieceRow = Omit<ArchivedPiece, 'vector'> & { space: number; memoryNo: number; vector: Buffer }

/** The transaction must see one moment, and every space. */
export async function archiveSource(
  transaction: Transaction,
): Promise<Omit<ArchiveSource, 'close'>> {
  const model = await findGeneration(transaction, 'current')
  const counts = await transaction.one(COUNTS, [])
  if (counts === undefined) throw new Error('Nothing was counted.')
  return {
    model,
    counts,
    async *records(): AsyncGenerator<ArchiveRecord> {
      yield* rows<ArchivedSpace>(transaction, 'space', QUERIES.space)
      yield* rows<ArchivedAccount>(transaction, 'account', QUERIES.account)
      yield* rows<ArchivedKey>(transaction, 'key', QUERIES.key)
      yield* rows<ArchivedUsage>(transaction, 'usage', QUERIES.usage)
      yield* rows<ArchivedStatistics>(transaction, 'statistics', QUERIES.statistics)
      yield* rows<ArchivedIdempotency>(transaction, 'idempotency', QUERIES.idempotency)
      yield* memories(transaction, model?.number ?? 0)
      yield* rows<ArchivedEntity>(transaction, 'entity', QUERIES.entity)
      yield* rows<ArchivedRelation>(transaction, 'relation', QUERIES.relation)
    },
  }
}

async function* memories(
  transaction: Transaction,
  generation: number,
): AsyncGenerator<ArchivedMemory> {
  const pieces = rows<PieceRow>(transaction, 'piece', pieceQuery(generation))
  let next = await pieces.next()
  for await (const { no, ...memory } of rows<MemoryRow>(transaction, 'memory', QUERIES.memory)) {
    const own: ArchivedPiece[] = []
    while (!next.done && next.value.memoryNo === no && next.value.space === memory.space) {
      const { space: _space, memoryNo: _no, vector, ...piece } = next.value
      own.push({ ...piece, vector: readVector(vector) })
      next = await pieces.next()
    }
    yield { ...memory, pieces: own }
  }
  if (!next.done) throw new Error('A piece belongs to no memory.')
}

async function* rows<Row extends object>(
  transaction: Transaction,
  cursor: string,
  sql: string,
): AsyncGenerator<Row> {
  await transaction.run(prepared(`DECLARE ${cursor}_rows NO SCROLL CURSOR FOR ${sql}`), [])
  const fetch = prepared<Row>(`FETCH ${ROWS_AT_ONCE} FROM ${cursor}_rows`)
  for (;;) {
    const fetched = await transaction.all(fetch, [])
    yield* fetched
    if (fetched.length < ROWS_AT_ONCE) break
  }
  await transaction.run(prepared(`CLOSE ${cursor}_rows`), [])
}
