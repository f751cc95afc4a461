// Looks at every row of a large store while it is in use: whether it can be read, is in all of its
// indexes, and refers to rows that are there. It goes in steps of some milliseconds, each with a
// snapshot of its own, since a longer one would keep the log from being cut.
// decisions/2026-11-21-start.md
import { ABOVE_ALL, type Connection } from './open-database.ts'

const STEP_ROWS = 1_000

/** Goes by the columns of its key. `isRight` is true for a row that is as it should be, and reads all of it. */
type Walk = { table: string; key: readonly string[]; isRight: string }
const BY_NO = ['no']

/** `where`: which rows the index holds, when it does not hold all. */
const inIndex = (table: string, index: string, columns: readonly string[], where = 'TRUE') =>
  `EXISTS (SELECT 1 FROM ${table} AS other INDEXED BY ${index}
     WHERE ${where} AND ${columns.map((column) => `other.${column} = row.${column}`).join(' AND ')})`
const exists = (table: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`
const byTime = (table: string, index: string, ...columns: string[]): string =>
  inIndex(table, index, ['space_no', ...columns, 'created_at', 'id'])
/** The index holds those alone of which `where` is true. */
const ofMemories = (index: string, where: string, ...columns: string[]): string =>
  inIndex('memories', index, ['space_no', ...columns, 'created_at', 'id'], where)
const IN_LISTS = `(${ofMemories('memories_by_user', 'other.in_lists = 1', 'user_id')}
  AND (agent_id IS NULL OR ${ofMemories('memories_by_agent', 'other.in_lists = 1', 'agent_id')})
  AND NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE NOT EXISTS (
    SELECT 1 FROM memory_tags WHERE memory_tags.space_no = row.space_no AND tag = value
      AND memory_tags.created_at = row.created_at AND memory_tags.id = row.id)))`
const UNLISTED = inIndex('memories', 'memories_unlisted', ['space_no', 'no'], 'other.in_lists = 0')
const isThere = (entity: string): string =>
  exists('entities', `entities.space_no = row.space_no AND entities.id = row.${entity}`)

const WALKS: readonly Walk[] = [
  {
    table: 'memories',
    key: BY_NO,
    isRight: `length(content) IS NOT NULL AND json_valid(tags)
      AND ${exists('spaces', 'spaces.no = row.space_no')}
      AND ${inIndex('memories', 'sqlite_autoindex_memories_1', ['space_no', 'id'])}
      AND ${byTime('memories', 'memories_by_time')}
      AND CASE WHEN in_lists = 1 THEN ${IN_LISTS} ELSE ${UNLISTED} END`,
  },
  ...(['pieces', 'pieces_beside'] as const).map((table) => ({
    table,
    key: BY_NO,
    // A piece in which there is no word has terms of no length. They are only to be read.
    isRight: `length(hex(substr(vector, -1))) = 2 AND length(terms) IS NOT -1
      AND ${exists('memories', 'memories.no = row.memory_no')}`,
  })),
  {
    table: 'entities',
    key: BY_NO,
    isRight: `length(metadata) IS NOT 0
      AND ${exists('spaces', 'spaces.no = row.space_no')}
      AND ${inIndex('entities', 'sqlite_autoindex_entities_1', ['space_no', 'id'])}
      AND ${byTime('entities', 'entities_by_time')}
      AND ${byTime('entities', 'entities_by_type', 'type')}`,
  },
  {
    table: 'relations',
    key: BY_NO,
    isRight: `length(metadata) IS NOT 0 AND ${isThere('source_id')} AND ${isThere('target_id')}
      AND ${inIndex('relations', 'sqlite_autoindex_relations_1', ['space_no', 'id'])}
      AND ${byTime('relations', 'relations_by_time')}
      AND ${byTime('relations', 'relations_by_source', 'source_id')}
      AND ${byTime('relations', 'relations_by_target', 'target_id')}
      AND ${byTime('relations', 'relations_by_type', 'type')}`,
  },
  {
    // Each tag of a memory was looked up: what else there is can be read, at least.
    table: 'memory_tags',
    key: ['space_no', 'tag', 'created_at', 'id'],
    isRight: 'memory_no IS NOT NULL',
  },
  {
    // Whether it fits the rows is for lists/check-counts.ts to say.
    table: 'counts',
    key: ['space_no', 'kind', 'value'],
    isRight: 'count > 0',
  },
  {
    table: 'idempotency',
    key: ['key_id', 'idempotency_key'],
    isRight: `length(fingerprint) IS NOT NULL AND length(record_id) IS NOT NULL
      AND ${exists('keys', 'keys.id = row.key_id')}
      AND ${inIndex('idempotency', 'idempotency_by_time', ['created_at', 'key_id', 'idempotency_key'])}`,
  },
  {
    table: 'statistics',
    key: ['key_id', 'day', 'kind'],
    isRight: `count IS NOT NULL
      AND ${exists('keys', 'keys.id = row.key_id')}
      AND ${inIndex('statistics', 'statistics_by_day', ['key_id', 'day', 'kind'])}`,
  },
]
/** There can be millions of their rows. All other tables are small. */
const WALKED: ReadonlySet<string> = new Set(WALKS.map(({ table }) => table))

type Step = { rows: number; right: number }

/** One step with each `next`. Yields a finding, or undefined when all is right so far. */
export function* findDamage(db: Connection): Generator<string | undefined> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all()
  for (const table of tables.filter((name) => !WALKED.has(name))) {
    const [finding] = db.prepare<[], string>(`PRAGMA quick_check('${table}')`).pluck().all()
    yield finding === 'ok' ? undefined : finding
  }
  for (const walk of WALKS) yield* walkThrough(db, walk)
}

type Key = (string | number | Buffer)[]

function* walkThrough(
  db: Connection,
  { table, key, isRight }: Walk,
): Generator<string | undefined> {
  const columns = key.join(', ')
  const place = `(${key.map(() => '?').join(', ')})`
  const first = db.prepare<[], Key>(`SELECT ${columns} FROM ${table} ORDER BY ${columns} LIMIT 1`)
  const next = db.prepare<Key, Key>(
    `SELECT ${columns} FROM ${table} WHERE (${columns}) >= ${place}
     ORDER BY ${columns} LIMIT 1 OFFSET ${STEP_ROWS}`,
  )
  const look = db.prepare<Key, Step>(
    `SELECT COUNT(*) AS rows, COALESCE(SUM(${isRight}), 0) AS right
     FROM ${table} AS row WHERE (${columns}) >= ${place} AND (${columns}) < ${place}`,
  )
  const end = key.map(() => ABOVE_ALL)
  const step = db.transaction((from: Key) => {
    const to = next.raw().get(...from)
    const seen = look.get(...from, ...(to ?? end))
    return { to, isRight: seen !== undefined && seen.rows === seen.right }
  })
  let passed = 0
  for (let from = first.raw().get(); from !== undefined; passed += STEP_ROWS) {
    const seen: ReturnType<typeof step> = step(from)
    // A key may hold a text of a caller.
    yield seen.isRight ? undefined : `Rows of ${table} behind ${passed} are not as they should be.`
    from = seen.to
  }
}
