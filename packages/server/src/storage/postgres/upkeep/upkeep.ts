// What creates leave for later, so that no create waits for it: counting terms in, and giving rows
// of large spaces their place in the index of vectors. A search is right at every moment without it;
// it only keeps the rest small. Several instances may do it at once: each takes rows that no other
// one holds. A deletion takes its terms out of the same counts and waits for whoever counts, so what
// is counted at once is bounded by its terms.
import { LRUCache } from 'lru-cache'
import { FairSlots } from '../../../turns/fair-slots.ts'
import type { SpaceId } from '../../records.ts'
import { StoreError } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Statement } from '../connection/transaction.ts'
import { isTimeout } from '../failure.ts'
import { EVERY_MEMORY } from '../pieces.ts'
import { INDEXED_DIMENSION_MAX } from '../reembedding/generations.ts'
import { EXACT_MAX } from '../search/search-size.ts'

/** Creates of this instance in a space until it looks after it. */
export const CREATES_MAX = 64
/** Spaces whose creates are kept in mind: an instance may meet any number, and most get few. */
const NOTED_SPACES_MAX = 10_000
/** Memories, or fewer that have so many terms together: about a tenth of a second. */
const COUNTED_AT_ONCE = 1_000
export const TERMS_AT_ONCE = 10_000
/** Memories that are not counted yet and that no instance will count by itself. */
const LEFT_MAX = 256
/** Rows: each takes about a millisecond, and holds its lock as long. */
const INDEXED_AT_ONCE = 100
/** Spaces, which take turns: each has a connection meanwhile, for which requests would wait. */
export const SPACES_INDEXED_AT_ONCE = 2
/** Rows without a place in the index that are cheap to scan. */
const SCANNED_MAX = 200
/**
 * How far from its vector a row lies in the index. Thousands of equal ones would be an island there: each has the
 * others for neighbours, and whoever comes upon them finds no way out.
 * decisions/2026-11-21-postgres-search.md
 */
const BESIDE = 0.012

const countStatement = (max: number) =>
  prepared<{ is_last: boolean }>(
    `WITH held AS MATERIALIZED (
       SELECT memory_no, cardinality(terms) AS terms FROM uncounted
       WHERE space_no = $1 AND generation = $2 ORDER BY memory_no LIMIT ${max} FOR UPDATE SKIP LOCKED),
     taken AS (
       DELETE FROM uncounted WHERE space_no = $1 AND generation = $2 AND memory_no IN (
         SELECT memory_no FROM (
           SELECT memory_no, sum(terms) OVER (ORDER BY memory_no) - terms AS before FROM held) AS summed
         WHERE before < ${TERMS_AT_ONCE})
       RETURNING terms),
     added AS (
       INSERT INTO term_counts (space_no, generation, term, memories)
       SELECT $1, $2, term, count(*)::int FROM taken CROSS JOIN unnest(terms) AS term
       GROUP BY term ORDER BY term
       ON CONFLICT (space_no, generation, term)
       DO UPDATE SET memories = term_counts.memories + excluded.memories)
     SELECT (SELECT count(*) FROM taken) = count(*) AND count(*) < ${max} AS is_last FROM held`,
  )
const SIZE = prepared<{ memories: number | null; dimension: number | null; unindexed: number }>(
  `SELECT
     (SELECT memories FROM term_counts
      WHERE space_no = $1 AND generation = $2 AND term = '${EVERY_MEMORY}') AS memories,
     (SELECT dimension FROM generations WHERE no = $2) AS dimension,
     (SELECT count(*) FROM (SELECT 1 FROM pieces WHERE space_no = $1 AND generation = $2
        AND code IS NULL LIMIT ${SCANNED_MAX + 1}) AS few) AS unindexed`,
)
const indexStatement = (max: number) =>
  prepared<{ is_last: boolean }>(
    `WITH indexed AS (
       UPDATE pieces SET code = l2_normalize(vector + ARRAY(
         SELECT ${BESIDE} * sqrt(12) * (random() - 0.5) / sqrt(vector_dims(vector))
         FROM generate_series(1, vector_dims(vector)))::vector)::halfvec
       WHERE space_no = $1 AND generation = $2 AND (memory_no, part) IN (
         SELECT memory_no, part FROM pieces WHERE space_no = $1 AND generation = $2 AND code IS NULL
         ORDER BY memory_no, part LIMIT ${max} FOR UPDATE SKIP LOCKED)
       RETURNING 1)
     SELECT count(*) < ${max} AS is_last FROM indexed`,
  )

/** What a batch takes of the rows that nobody holds, and whether it has left none of them. */
type Batch = {
  max: number
  statement: (max: number) => Statement<{ is_last: boolean }>
  /** Of the spaces that have such batches at the same time. */
  turns?: FairSlots
}

/** Counts the terms of a space, and gives its rows their places in the index. */
export type LookAfter = (space: SpaceId, generation: number) => Promise<void>

type SpaceDatabase = Pick<Database, 'inSpace' | 'readInSpace'>

export class Upkeep {
  readonly #database: SpaceDatabase
  readonly #onError: (error: unknown) => void
  /** A hint, so that what was seen longest ago may be forgotten: another process counts too. */
  readonly #created = new LRUCache<string, number>({ max: NOTED_SPACES_MAX })
  /** Spaces whose turn to be counted is still to come: however often they are noted, it is one. */
  readonly #waiting = new Set<string>()
  /** Spaces whose rows are being indexed here: that takes long, and counting must not wait for it. */
  readonly #indexing = new Map<string, Promise<void>>()
  #counting: Promise<void> = Promise.resolve()
  readonly #indexTurns = new FairSlots(SPACES_INDEXED_AT_ONCE)
  #isClosing = false

  constructor(database: SpaceDatabase, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  noteCreated(space: SpaceId, generation: number): void {
    this.#note(space, generation, 1)
  }

  /** A search has met so many, or more than it could read: an instance that ended has left them. */
  noteUncounted(space: SpaceId, generation: number, memories: number): void {
    if (memories > LEFT_MAX) this.#note(space, generation, CREATES_MAX)
  }

  /** Resolves when what was begun has ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#counting
    await Promise.all(this.#indexing.values())
  }

  /** Counts what is not counted, and indexes the rows of a large space. */
  async lookAfter(space: SpaceId, generation: number): Promise<void> {
    await this.#count(space, generation)
    await this.#index(space, generation)
  }

  #note(space: SpaceId, generation: number, memories: number): void {
    const name = `${space} ${generation}`
    const created = (this.#created.get(name) ?? 0) + memories
    this.#created.set(name, created)
    if (created < CREATES_MAX || this.#waiting.has(name)) return
    this.#waiting.add(name)
    this.#counting = this.#counting
      .then(() => {
        this.#waiting.delete(name)
        this.#created.delete(name)
        return this.#count(space, generation)
      })
      .then(() => this.#startIndexing(space, generation))
      .catch(this.#onError)
  }

  #startIndexing(space: SpaceId, generation: number): void {
    const name = `${space} ${generation}`
    if (this.#indexing.has(name)) return
    const work = this.#index(space, generation)
      .catch(this.#onError)
      .finally(() => this.#indexing.delete(name))
    this.#indexing.set(name, work)
  }

  #count(space: SpaceId, generation: number): Promise<void> {
    return this.#inBatches(space, generation, { max: COUNTED_AT_ONCE, statement: countStatement })
  }

  async #index(space: SpaceId, generation: number): Promise<void> {
    const size = await this.#database.readInSpace(space, SIZE, [space, generation])
    if (size === undefined || size.unindexed <= SCANNED_MAX) return
    if ((size.memories ?? 0) <= EXACT_MAX || (size.dimension ?? 0) > INDEXED_DIMENSION_MAX) return
    await this.#inBatches(space, generation, {
      max: INDEXED_AT_ONCE,
      statement: indexStatement,
      turns: this.#indexTurns,
    })
  }

  /** Until nothing is left. One that takes longer than a statement may is begun anew with half as many. */
  async #inBatches(space: SpaceId, generation: number, batch: Batch): Promise<void> {
    let max = batch.max
    while (!this.#isClosing) {
      const statement = batch.statement(max)
      await batch.turns?.take(space)
      try {
        if (this.#isClosing) return
        const row = await this.#database.inSpace(space, (transaction) =>
          transaction.one(statement, [space, generation]),
        )
        if (row?.is_last !== false) return
      } catch (error) {
        if (max === 1 || !isTimeout(error instanceof StoreError ? error.cause : error)) throw error
        max = Math.ceil(max / 2)
      } finally {
        batch.turns?.end()
      }
    }
  }
}
