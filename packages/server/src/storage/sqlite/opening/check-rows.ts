// Looks at every row of a large store while it is in use: whether it can be read, is in all of its
// indexes, and refers to rows that are there. It goes in steps of some milliseconds, each with a
// snapshot of its own, since a longer one would keep the log from being cut.
// decisions/2026-11-21-start.md
import type { Connection } from './open-database.ts'

const STEP_ROWS = 1_000

/** Goes by `no`. `isRight` is true for a row that is as it should be, and reads all of it. */
type Walk = { table: string; isRight: string }

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
    isRight: `length(content) IS NOT NULL AND json_valid(tags)
      AND ${exists('spaces', 'spaces.no = row.space_no')}
      AND ${inIndex('memories', 'sqlite_autoindex_memories_1', ['space_no', 'id'])}
      AND ${byTime('memories', 'memories_by_time')}
      AND CASE WHEN in_lists = 1 THEN ${IN_LISTS} ELSE ${UNLISTED} END`,
  },
  ...(['pieces', 'pieces_beside'] as const).map((table) => ({
    table,
    // A piece in which there is no word has terms of no length. They are only to be read.
    isRight: `length(hex(substr(vector, -1))) = 2 AND length(terms) IS NOT -1
      AND ${exists('memories', 'memories.no = row.memory_no')}`,
  })),
  {
    table: 'entities',
    isRight: `length(metadata) IS NOT 0
      AND ${exists('spaces', 'spaces.no = row.space_no')}
      AND ${inIndex('entities', 'sqlite_autoindex_entities_1', ['space_no', 'id'])}
      AND ${byTime('entities', 'entities_by_time')}
      AND ${byTime('entities', 'entities_by_type', 'type')}`,
  },
  {
    table: 'relations',
    isRight: `length(metadata) IS NOT 0 AND ${isThere('source_id')} AND ${isThere('target_id')}
      AND ${inIndex('relations', 'sqlite_autoindex_relations_1', ['space_no', 'id'])}
      AND ${byTime('relations', 'relations_by_time')}
      AND ${byTime('relations', 'relations_by_source', 'source_id')}
      AND ${byTime('relations', 'relations_by_target', 'target_id')}
      AND ${byTime('relations', 'relations_by_type', 'type')}`,
  },
]
/** Walked above; all others are small. */
const WALKED: ReadonlySet<string> = new Set([...WALKS.map(({ table }) => table), 'memory_tags'])

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
  // Each tag of a memory was looked up; to count all rows is to find what else cannot be read.
  db.prepare('SELECT COUNT(*) FROM memory_tags').get()
  yield undefined
}

function* walkThrough(db: Connection, { table, isRight }: Walk): Generator<string | undefined> {
  const last = db
    .prepare<[number], number>(
      `SELECT no FROM ${table} WHERE no > ? ORDER BY no LIMIT 1 OFFSET ${STEP_ROWS - 1}`,
    )
    .pluck()
  const look = db.prepare<[number, number], Step>(
    `SELECT COUNT(*) AS rows, COALESCE(SUM(${isRight}), 0) AS right
     FROM ${table} AS row WHERE no > ? AND no <= ?`,
  )
  const step = db.transaction((from: number) => {
    const to = last.get(from)
    const seen = look.get(from, to ?? Number.MAX_SAFE_INTEGER)
    return { to, isRight: seen !== undefined && seen.rows === seen.right }
  })
  for (let from: number | undefined = -1; from !== undefined; ) {
    const seen = step(from)
    yield seen.isRight ? undefined : `Rows of ${table} after ${from} are not as they should be.`
    from = seen.to
  }
}
