// Moves a store to another generation of vectors, beside servers that read and write it. Everything
// is a small transaction, and the state of the work is in the rows alone: what has pieces of the new
// generation is done. decisions/2026-11-21-reembedding.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Piece } from '../../retrieval/evidence.ts'
import type { Generation, ReembeddingStore, Unembedded, VectorModel } from '../generation.ts'
import { withTerms } from '../pieces-with-terms.ts'
import type { SpaceId } from '../store.ts'
import { type Database, prepared, type Transaction } from './database.ts'
import { findGeneration, holdAlone } from './generations.ts'
import { EVERY_MEMORY, insertPieces } from './pieces.ts'
import { EXACT_MAX } from './search-size.ts'

const REMOVED_AT_ONCE = 200
const SEEN_AT_ONCE = 2_000
/** Memories that got pieces until their spaces are looked after. */
const ADDED_MAX = 1_000

class RestTookTooLong extends Error {}

type Seen = { no: number; bytes: number; is_done: boolean }
const SEE = prepared<Seen>(
  `SELECT no, octet_length(content) AS bytes, EXISTS (
     SELECT 1 FROM pieces WHERE pieces.space_no = memories.space_no AND generation = $1
       AND memory_no = memories.no) AS is_done
   FROM memories WHERE no > $2 ORDER BY no LIMIT ${SEEN_AT_ONCE}`,
)
// Locked, so that a deletion waits until the pieces are there, and then takes all of them along.
const HOLD = prepared<{ space_no: SpaceId; content: string }>(
  'SELECT space_no, content FROM memories WHERE no = $1 FOR KEY SHARE',
)
const CONTENT = prepared<{ no: number; content: string }>(
  'SELECT no, content FROM memories WHERE no = ANY($1::bigint[]) ORDER BY no',
)
const HAS_PIECES = prepared(
  'SELECT 1 FROM pieces WHERE space_no = $1 AND generation = $2 AND memory_no = $3 LIMIT 1',
)
const COUNTS = prepared<{ memories: number; embedded: number }>(
  `SELECT (SELECT count(*) FROM memories) AS memories,
     (SELECT count(*) FROM pieces WHERE generation = $1 AND part = 0) AS embedded`,
)
const WITH_UNCOUNTED = prepared<{ space: SpaceId }>(
  'SELECT DISTINCT space_no AS space FROM uncounted WHERE generation = $1',
)
const LARGE_SPACES = prepared<{ space: SpaceId }>(
  `SELECT space_no AS space FROM term_counts WHERE generation = $1 AND term = '${EVERY_MEMORY}'
     AND memories > ${EXACT_MAX}`,
)
const RETIRE = prepared("UPDATE generations SET state = 'retired' WHERE state = $1")
const PROMOTE = prepared("UPDATE generations SET state = 'current' WHERE state = 'growing'")
const FORGET_RETIRED = prepared("DELETE FROM generations WHERE state = 'retired'")
const REMOVALS = [
  ['pieces', 'space_no, memory_no, part'],
  ['piece_terms', 'space_no, term, memory_no, part'],
  ['term_counts', 'space_no, term'],
  ['uncounted', 'space_no, memory_no'],
].map(([table, key]) =>
  prepared(
    `DELETE FROM ${table} WHERE generation = $1 AND (${key}) IN (
       SELECT ${key} FROM ${table} WHERE generation = $1 LIMIT ${REMOVED_AT_ONCE})`,
  ),
)

/** What only the owner of the tables can do. */
type OwnerWork = {
  begin(model: VectorModel): Promise<Generation>
  dropVectorIndex(generation: number): Promise<void>
}

/** Counts terms and gives rows their places in the index, as upkeep.ts does for the servers. */
type LookAfter = (space: SpaceId, generation: number) => Promise<void>

export function reembedding(
  database: Database,
  owner: OwnerWork,
  lookAfter: LookAfter,
): Omit<ReembeddingStore, 'close'> {
  /** Every memory up to this number had pieces, or is gone; numbers below may still be committed. */
  let passed = 0
  /** Since their spaces were looked after. */
  let added = 0
  /** A process that ended may have counted the terms of large spaces and not indexed all of their rows. */
  let mayHaveUnindexed = true
  const read = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    database.transaction(work)

  async function growing(transaction: Transaction): Promise<number> {
    const generation = await findGeneration(transaction, 'growing')
    if (generation === undefined) throw new Error('No generation is growing.')
    return generation.number
  }

  async function addPieces(
    transaction: Transaction,
    generation: number,
    { ref, pieces }: { ref: number; pieces: Piece[] },
  ): Promise<void> {
    if (pieces.length === 0) throw new Error('A memory without a piece could never be found.')
    const memory = await transaction.one(HOLD, [ref])
    if (memory === undefined) return
    const place = { space: memory.space_no, generation, memoryNo: ref }
    if (await transaction.one(HAS_PIECES, [place.space, generation, ref])) return
    await insertPieces(transaction, place, withTerms(memory.content, pieces))
  }

  /**
   * Before the switch: searches of a large space whose terms nobody has counted, or whose rows have no
   * place in the index, take longer than a search may.
   */
  async function lookAfterAll(): Promise<void> {
    const generation = await read(growing)
    added = 0
    for (const statement of mayHaveUnindexed ? [WITH_UNCOUNTED, LARGE_SPACES] : [WITH_UNCOUNTED]) {
      const spaces = await database.query(statement, [generation])
      for (const { space } of spaces) await lookAfter(space, generation)
    }
    mayHaveUnindexed = false
  }

  async function missing(
    transaction: Transaction,
    limits: { memoriesMax: number; charactersMax: number },
  ): Promise<Unembedded[]> {
    const generation = await growing(transaction)
    let hasRestarted = passed === 0
    for (;;) {
      const seen = await transaction.all(SEE, [generation, passed])
      const without = seen.filter((row) => !row.is_done)
      const last = seen.at(-1)
      if (last === undefined) {
        // A create that began earlier can be committed later, with a number that was passed.
        if (hasRestarted) return []
        hasRestarted = true
        passed = 0
        continue
      }
      passed = without[0] ? without[0].no - 1 : last.no
      if (without.length > 0) return contentsOf(transaction, without, limits)
    }
  }

  return {
    state: () =>
      read(async (transaction) => ({
        current: await findGeneration(transaction, 'current'),
        growing: await findGeneration(transaction, 'growing'),
        hasRetired: (await findGeneration(transaction, 'retired')) !== undefined,
      })),

    progress: () =>
      read(async (transaction) => {
        const generation = await findGeneration(transaction, 'growing')
        const counts = await transaction.one(COUNTS, [generation?.number ?? 0])
        return { memories: counts?.memories ?? 0, embedded: counts?.embedded ?? 0 }
      }),

    async begin(model) {
      passed = 0
      return owner.begin(model)
    },

    missing: (limits) => read((transaction) => missing(transaction, limits)),

    async add(embedded) {
      await database.transaction(async (transaction) => {
        const generation = await growing(transaction)
        for (const each of embedded) await addPieces(transaction, generation, each)
      })
      added += embedded.length
      if (added >= ADDED_MAX) await lookAfterAll()
    },

    async switchOver({ restMax, waitMsMax, embed }) {
      await lookAfterAll()
      const late = new AbortController()
      try {
        return await database.transaction(async (transaction) => {
          await holdAlone(transaction)
          passed = 0
          const limits = { memoriesMax: restMax + 1, charactersMax: Number.POSITIVE_INFINITY }
          const rest = await missing(transaction, limits)
          if (rest.length > restMax) return false
          if (rest.length > 0) {
            const embedding = Promise.all(rest.map(({ content }) => embed(content)))
            const embedded = await Promise.race([embedding, tooLate(waitMsMax, late.signal)])
            const generation = await growing(transaction)
            for (const [index, { ref }] of rest.entries()) {
              await addPieces(transaction, generation, { ref, pieces: embedded[index] ?? [] })
            }
          }
          await transaction.run(RETIRE, ['current'])
          await transaction.run(PROMOTE, [])
          return true
        })
      } catch (error) {
        if (error instanceof Error && error.cause instanceof RestTookTooLong) return false
        throw error
      } finally {
        late.abort()
      }
    },

    discard: () =>
      database.transaction(async (transaction) => {
        await transaction.run(RETIRE, ['growing'])
      }),

    async removeRetired() {
      const retired = await read((transaction) => findGeneration(transaction, 'retired'))
      if (retired === undefined) return false
      await owner.dropVectorIndex(retired.number)
      return database.transaction(async (transaction) => {
        let removed = 0
        for (const removal of REMOVALS) removed += await transaction.run(removal, [retired.number])
        if (removed > 0) return true
        await transaction.run(FORGET_RETIRED, [])
        return false
      })
    },
  }
}

async function contentsOf(
  transaction: Transaction,
  rows: readonly Seen[],
  { memoriesMax, charactersMax }: { memoriesMax: number; charactersMax: number },
): Promise<Unembedded[]> {
  const chosen: number[] = []
  let characters = 0
  for (const { no, bytes } of rows.slice(0, memoriesMax)) {
    if (chosen.length > 0 && characters + bytes > charactersMax) break
    chosen.push(no)
    characters += bytes
  }
  const found = await transaction.all(CONTENT, [chosen])
  return found.map(({ no, content }) => ({ ref: no, content }))
}

async function tooLate(waitMs: number, signal: AbortSignal): Promise<never> {
  await sleep(waitMs, undefined, { signal })
  throw new RestTookTooLong()
}
