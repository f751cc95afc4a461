// How many rows a space has in a table, in the time of a look-up. Each statement that writes leaves a note of what
// it changed (the triggers of the schema), which counts from its commit on; here the notes are added up, so that
// few are to be read. A total is right at every moment, however many there are. Several instances may add up at
// once: each takes the notes that it sees, and of two that take the same one the second finds it gone.
// decisions/2026-11-28-totals-without-counting.md
import { LRUCache } from 'lru-cache'
import type { SpaceCounts } from '../../console-store.ts'
import type { SpaceId } from '../../records.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'

export type CountedTable = keyof SpaceCounts
export const COUNTED_TABLES: readonly CountedTable[] = ['memories', 'entities', 'relations']

/** Statements of this instance over a table of a space until it adds their notes up. */
const WRITES_MAX = 64
/** Tables of spaces whose writes are kept in mind. */
const NOTED_MAX = 10_000
/** Notes that are read for a total and that nobody will add up by himself: an instance has ended. */
const LEFT_MAX = 256
const ADDED_AT_ONCE = 10_000

// No row when the space is not counted yet.
const TOTAL = prepared<{ total: number; notes: number }>(
  `SELECT COALESCE((SELECT total FROM row_counts WHERE space_no = $1 AND counted = $2), 0) + changed AS total,
     notes
   FROM spaces CROSS JOIN (
     SELECT COALESCE(sum(change), 0)::bigint AS changed, count(*) AS notes FROM row_changes
     WHERE space_no = $1 AND counted = $2) AS changes
   WHERE no = $1 AND is_counted`,
)
const ADD_UP = prepared<{ added: number }>(
  `WITH taken AS (
     DELETE FROM row_changes WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM row_changes WHERE space_no = $1 AND counted = $2
       LIMIT ${ADDED_AT_ONCE} FOR UPDATE SKIP LOCKED))
       AND EXISTS (SELECT 1 FROM spaces WHERE no = $1 AND is_counted)
     RETURNING change),
   added AS (
     INSERT INTO row_counts (space_no, counted, total)
     SELECT $1, $2, sum(change) FROM taken HAVING count(*) > 0
     ON CONFLICT (space_no, counted) DO UPDATE SET total = row_counts.total + excluded.total)
   SELECT count(*) AS added FROM taken`,
)

/** How many notes it took. Fewer than `ADDED_AT_ONCE` are all that nobody else takes. */
export async function addUp(
  transaction: Transaction,
  space: SpaceId,
  table: CountedTable,
): Promise<number> {
  return (await transaction.one(ADD_UP, [space, table]))?.added ?? 0
}

export class RowCounts {
  readonly #database: Pick<Database, 'inSpace'>
  readonly #onError: (error: unknown) => void
  /** A hint: another instance adds up, too. */
  readonly #written = new LRUCache<string, number>({ max: NOTED_MAX })
  readonly #waiting = new Set<string>()
  #adding: Promise<void> = Promise.resolve()
  #isClosing = false

  constructor(database: Pick<Database, 'inSpace'>, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** A statement has created or deleted rows. */
  noteWritten(space: SpaceId, table: CountedTable): void {
    this.#note(space, table, 1)
  }

  /** Undefined when the space is not counted yet. Ask in a snapshot, together with the rows it is for. */
  async total(
    transaction: Transaction,
    space: SpaceId,
    table: CountedTable,
  ): Promise<number | undefined> {
    const found = await transaction.one(TOTAL, [space, table])
    if (found !== undefined && found.notes > LEFT_MAX) this.#note(space, table, WRITES_MAX)
    return found?.total
  }

  /** Resolves when what was begun has ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#adding
  }

  #note(space: SpaceId, table: CountedTable, writes: number): void {
    const name = `${space} ${table}`
    const written = (this.#written.get(name) ?? 0) + writes
    this.#written.set(name, written)
    if (written < WRITES_MAX || this.#waiting.has(name)) return
    this.#waiting.add(name)
    this.#adding = this.#adding
      .then(() => {
        this.#waiting.delete(name)
        this.#written.delete(name)
        return this.#addUp(space, table)
      })
      .catch(this.#onError)
  }

  async #addUp(space: SpaceId, table: CountedTable): Promise<void> {
    let added = ADDED_AT_ONCE
    while (added === ADDED_AT_ONCE && !this.#isClosing) {
      added = await this.#database.inSpace(space, (transaction) => addUp(transaction, space, table))
    }
  }
}
