// Removes the rows of a generation that a store has moved away from, some at a time, space by space in the
// order of their keys. Each step begins where the last one ended: looking for old rows from the beginning
// would read again whatever the steps before it removed, since that stays in the indexes until a VACUUM,
// and for as long as any transaction of the server is older.
import type { SpaceId } from '../../records.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'

const AT_ONCE = 200
const OLD = 'space_no = $2 AND generation = $1'

type Key = (string | number)[]
/**
 * What tells the rows of a space and a generation apart, with what comes before every row. Counts come behind
 * what is to be counted: an instance may be counting it at that moment, and nobody comes back for its counts.
 */
const KEYS: Record<string, Record<string, string | number>> = {
  pieces: { memory_no: -1, part: -1 },
  piece_terms: { term: '', memory_no: -1, part: -1 },
  uncounted: { memory_no: -1 },
  term_counts: { term: '' },
}
/** Where much of a table is old, the planner takes a look at all of it for cheap, each time. */
const BY_INDEX = prepared(
  "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)",
)
/** The first one behind a space that has old rows. One look into an index for each table. */
const NEXT_SPACE = prepared<{ space: SpaceId }>(
  `SELECT no AS space FROM spaces WHERE no > $2 AND COALESCE(${Object.keys(KEYS)
    .map(
      (table) => `(SELECT 1 FROM ${table} WHERE space_no = spaces.no AND generation = $1 LIMIT 1)`,
    )
    .join(', ')}) IS NOT NULL ORDER BY no LIMIT 1`,
)
const TABLES = Object.entries(KEYS).map(([table, key]) => {
  const columns = Object.keys(key)
  const parameters = (from: number) => columns.map((_, place) => `$${from + place}`)
  const rest = `FROM ${table} WHERE ${OLD} AND (${columns}) >= (${parameters(3)})`
  return {
    start: Object.values(key),
    findEnd: prepared<{ end: Key }>(
      `SELECT json_build_array(${columns}) AS end ${rest} ORDER BY ${columns} OFFSET ${AT_ONCE} LIMIT 1`,
    ),
    removeRest: prepared(`DELETE ${rest}`),
    removeUpTo: prepared(`DELETE ${rest} AND (${columns}) < (${parameters(3 + columns.length)})`),
  }
})

/** The step that is next: in a table of a space, from a key on. Behind the last table comes another space. */
type Place = { space: number; table: number; from: Key | undefined }
const BEFORE_ALL: Place = { space: 0, table: TABLES.length, from: undefined }

export class RetiredRows {
  readonly #database: Database
  #generation: number | undefined
  #place = BEFORE_ALL

  constructor(database: Database) {
    this.#database = database
  }

  /** False when the generation has no rows left. */
  async removeSome(generation: number): Promise<boolean> {
    const place = generation === this.#generation ? this.#place : BEFORE_ALL
    const next = await this.#database.transaction((transaction) =>
      step(transaction, generation, place),
    )
    this.#generation = generation
    this.#place = next ?? place
    return next !== undefined
  }
}

async function step(
  transaction: Transaction,
  generation: number,
  place: Place,
): Promise<Place | undefined> {
  await transaction.run(BY_INDEX, [])
  let { space, table, from } = place
  if (table === TABLES.length) {
    const next = await transaction.one(NEXT_SPACE, [generation, space])
    if (next === undefined) return undefined
    space = next.space
    table = 0
  }
  for (const { start, findEnd, removeRest, removeUpTo } of TABLES.slice(table)) {
    const rest = [generation, space, ...(from ?? start)]
    const found = await transaction.one(findEnd, rest)
    if (found !== undefined) {
      await transaction.run(removeUpTo, [...rest, ...found.end])
      return { space, table, from: found.end }
    }
    await transaction.run(removeRest, rest)
    from = undefined
    table += 1
  }
  return { space, table, from }
}
