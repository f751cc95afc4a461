// The rows that the records of an archive become: one statement for each table, however many records.
// The foreign keys of the schema refuse what refers to nothing. Numbers of spaces stay as they are;
// numbers of memories are given anew. Terms are counted at once: nobody else writes meanwhile.
import { foldName } from '../../../retrieval/fold.ts'
import type { ArchivedMemory, ArchiveKind, ArchiveRecord } from '../../archive.ts'
import { foldEmail } from '../../email-spellings.ts'
import { prepared, type Transaction, type Value } from '../connection/transaction.ts'
import { EVERY_MEMORY, toText } from '../pieces.ts'

type Of<Kind extends ArchiveKind> = Extract<ArchiveRecord, { kind: Kind }>
type Cell = string | number | null
type Column<Row> = [name: string, type: string, value: (row: Row) => Cell, sql?: string]

/** `sql` says how a column is made from the parameter, whose name it has. */
function insertion<Row>(table: string, columns: Column<Row>[], clause = '') {
  const names = columns.map(([name]) => name).join(', ')
  const values = columns.map(([name, , , sql]) => sql ?? name).join(', ')
  const parameters = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
  const statement = prepared(
    `INSERT INTO ${table} (${names}) ${clause} SELECT ${values}
     FROM unnest(${parameters}) AS given (${names})`,
  )
  return async (transaction: Transaction, rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return
    await transaction.run(
      statement,
      columns.map(([, , value]): Value => rows.map(value)),
    )
  }
}

const insertSpaces = insertion<Of<'space'>>(
  'spaces',
  [
    ['no', 'bigint', (r) => r.space],
    ['created_at', 'bigint', (r) => r.createdAt],
  ],
  'OVERRIDING SYSTEM VALUE',
)
const insertAccounts = insertion<Of<'account'>>('accounts', [
  ['id', 'text', (r) => r.id],
  ['email', 'text', (r) => r.email],
  ['email_folded', 'text', (r) => foldEmail(r.email)],
  ['role', 'text', (r) => r.role],
  ['plans', 'text', (r) => JSON.stringify(r.plans)],
  ['password', 'text', (r) => r.password],
  ['created_at', 'bigint', (r) => r.createdAt],
])
const insertKeys = insertion<Of<'key'>>('keys', [
  ['id', 'text', (r) => r.id],
  ['space_no', 'bigint', (r) => r.space],
  ['name', 'text', (r) => r.name],
  ['hash', 'text', (r) => r.hash, "decode(hash, 'hex')"],
  ['plan', 'text', (r) => r.plan],
  ['read_limit', 'integer', (r) => r.readLimit],
  ['write_limit', 'integer', (r) => r.writeLimit],
  ['search_limit', 'integer', (r) => r.searchLimit],
  ['status', 'text', (r) => r.status],
  ['created_at', 'bigint', (r) => r.createdAt],
  ['last_used_at', 'bigint', (r) => r.lastUsedAt],
  ['account_id', 'text', (r) => r.accountId],
  ['prefix', 'text', (r) => r.prefix],
  ['replaces_id', 'text', (r) => r.replacesId],
  ['purged_at', 'bigint', (r) => r.purgedAt],
])
const insertUsage = insertion<Of<'usage'>>('usage', [
  ['key_id', 'text', (r) => r.keyId],
  ['month', 'text', (r) => r.month],
  ['operations', 'bigint', (r) => r.operations],
])
const insertStatistics = insertion<Of<'statistics'>>('statistics', [
  ['key_id', 'text', (r) => r.keyId],
  ['day', 'text', (r) => r.day],
  ['kind', 'text', (r) => r.counted],
  ['count', 'bigint', (r) => r.count],
])
const insertIdempotency = insertion<Of<'idempotency'>>('idempotency', [
  ['key_id', 'text', (r) => r.keyId],
  ['idempotency_key', 'text', (r) => r.idempotencyKey],
  ['fingerprint', 'text', (r) => r.fingerprint],
  ['record_id', 'text', (r) => r.recordId],
  ['created_at', 'bigint', (r) => r.createdAt],
])
const insertEntities = insertion<Of<'entity'>>('entities', [
  ['space_no', 'bigint', (r) => r.space],
  ['id', 'text', (r) => r.id],
  ['name', 'text', (r) => r.name],
  ['name_folded', 'text', (r) => foldName(r.name)],
  ['type', 'text', (r) => r.type],
  ['description', 'text', (r) => r.description],
  ['metadata', 'text', (r) => r.metadata],
  ['created_at', 'bigint', (r) => r.createdAt],
])
const insertRelations = insertion<Of<'relation'>>('relations', [
  ['space_no', 'bigint', (r) => r.space],
  ['id', 'text', (r) => r.id],
  ['source_id', 'text', (r) => r.sourceId],
  ['target_id', 'text', (r) => r.targetId],
  ['type', 'text', (r) => r.type],
  ['metadata', 'text', (r) => r.metadata],
  ['created_at', 'bigint', (r) => r.createdAt],
])

type Numbered = ArchivedMemory & { no: number }
const insertMemories = insertion<Numbered>('memories', [
  ['space_no', 'bigint', (r) => r.space],
  ['no', 'bigint', (r) => r.no],
  ['id', 'text', (r) => r.id],
  ['content', 'text', (r) => r.content],
  ['user_id', 'text', (r) => r.userId],
  ['agent_id', 'text', (r) => r.agentId],
  // Lists of different lengths are no array of arrays.
  [
    'tags',
    'text',
    (r) => JSON.stringify(r.tags),
    'ARRAY(SELECT json_array_elements_text(tags::json))',
  ],
  ['metadata', 'text', (r) => r.metadata],
  ['created_at', 'bigint', (r) => r.createdAt],
])
const insertTags = insertion<{ space: number; tag: string; no: number }>('memory_tags', [
  ['space_no', 'bigint', (r) => r.space],
  ['tag', 'text', (r) => r.tag],
  ['memory_no', 'bigint', (r) => r.no],
])

type PieceRow = ArchivedMemory['pieces'][number] & {
  space: number
  generation: number
  no: number
  part: number
}
const insertPieces = insertion<PieceRow>('pieces', [
  ['space_no', 'bigint', (r) => r.space],
  ['generation', 'integer', (r) => r.generation],
  ['memory_no', 'bigint', (r) => r.no],
  ['part', 'integer', (r) => r.part],
  ['start_offset', 'integer', (r) => r.start],
  ['end_offset', 'integer', (r) => r.end],
  ['commonness', 'float8', (r) => r.commonness],
  ['terms', 'text', (r) => r.terms, "string_to_array(terms, ' ')"],
  ['vector', 'text', (r) => toText(r.vector), 'vector::vector'],
])
type TermRow = { space: number; generation: number; term: string; no: number; part: number }
const insertTerms = insertion<TermRow>('piece_terms', [
  ['space_no', 'bigint', (r) => r.space],
  ['generation', 'integer', (r) => r.generation],
  ['term', 'text', (r) => r.term],
  ['memory_no', 'bigint', (r) => r.no],
  ['part', 'integer', (r) => r.part],
])
const COUNT_TERMS = prepared(
  `INSERT INTO term_counts (space_no, generation, term, memories)
   SELECT space_no, $1, term, count(*)::int FROM unnest($2::bigint[], $3::text[])
     AS given (space_no, term) GROUP BY space_no, term
   ON CONFLICT (space_no, generation, term)
   DO UPDATE SET memories = term_counts.memories + excluded.memories`,
)
const NUMBERS = prepared<{ no: number }>(
  "SELECT nextval('memory_numbers') AS no FROM generate_series(1, $1::int) ORDER BY 1",
)

/** Inserts the records in their order. `generation` is that of the vectors. */
export async function insertRecords(
  transaction: Transaction,
  records: readonly ArchiveRecord[],
  generation: number,
): Promise<void> {
  const all = <Kind extends ArchiveKind>(kind: Kind): Of<Kind>[] =>
    records.filter((record): record is Of<Kind> => record.kind === kind)
  await insertSpaces(transaction, all('space'))
  await insertAccounts(transaction, all('account'))
  await insertKeys(transaction, all('key'))
  await insertUsage(transaction, all('usage'))
  await insertStatistics(transaction, all('statistics'))
  await insertIdempotency(transaction, all('idempotency'))
  await insertWithPieces(transaction, all('memory'), generation)
  await insertEntities(transaction, all('entity'))
  await insertRelations(transaction, all('relation'))
}

async function insertWithPieces(
  transaction: Transaction,
  memories: readonly ArchivedMemory[],
  generation: number,
): Promise<void> {
  if (memories.length === 0) return
  const numbers = await transaction.all(NUMBERS, [memories.length])
  const numbered = memories.map((memory, index) => ({ ...memory, no: numbers[index]?.no ?? 0 }))
  const pieces = numbered.flatMap(({ space, no, pieces: own }) =>
    own.map((piece, part) => ({ ...piece, space, generation, no, part })),
  )
  const terms = pieces.flatMap(({ terms: text, space, no, part }) =>
    termsIn(text).map((term) => ({ space, generation, term, no, part })),
  )
  const counted = numbered.flatMap(({ space, pieces: own }) =>
    [...new Set([EVERY_MEMORY, ...own.flatMap((piece) => termsIn(piece.terms))])].map((term) => ({
      space,
      term,
    })),
  )
  await insertMemories(transaction, numbered)
  await insertTags(
    transaction,
    numbered.flatMap(({ space, no, tags }) => tags.map((tag) => ({ space, tag, no }))),
  )
  await insertPieces(transaction, pieces)
  await insertTerms(transaction, terms)
  await transaction.run(COUNT_TERMS, [
    generation,
    counted.map(({ space }) => space),
    counted.map(({ term }) => term),
  ])
}

const termsIn = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.split(' ')
