// Moves a store to another generation of vectors, beside servers that read and write it. Everything
// is a small transaction, and the state of the work is in the rows alone: what has pieces of the new
// generation is done. decisions/2026-11-21-reembedding.md
import type {
  Embedded,
  Generation,
  ReembeddingStore,
  Unembedded,
  VectorModel,
} from '../../generation.ts'
import { withTerms } from '../../pieces-with-terms.ts'
import type { SpaceId } from '../../records.ts'
import { embedRest, whyNotSwitched } from '../../rest-of-switch.ts'
import type { Database } from '../connection/database.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { insertPieces } from '../pieces.ts'
import { RetiredRows } from '../upkeep/retired-rows.ts'
import { LARGE_SPACES } from '../upkeep/term-counts.ts'
import type { LookAfter } from '../upkeep/upkeep.ts'
import { findGeneration, holdGenerationAlone, locateGeneration } from './generations.ts'

const SEEN_AT_ONCE = 2_000
/** Memories that got pieces until their spaces are looked after. */
const ADDED_MAX = 1_000

/** Before every memory. */
const START = { space: 0, no: 0 }

/** Of a memory: its key, by which it is found at once, as it is not by its number alone. */
type Key = Unembedded['ref']
type Seen = Key & { is_done: boolean }

const HAS_ROW = `FROM pieces WHERE pieces.space_no = memories.space_no AND generation = $1
  AND memory_no = memories.no AND part = 0`
// One look into an index for each memory: EXISTS would be made a list of all pieces, for each page.
const SEE = prepared<Seen>(
  `SELECT space_no AS space, no, (SELECT 1 ${HAS_ROW}) IS NOT NULL AS is_done
   FROM memories WHERE (space_no, no) > ($2, $3) ORDER BY space_no, no LIMIT ${SEEN_AT_ONCE}`,
)
/** Of all memories at once, for the switch: creates wait for it. */
const missingStatement = (max: number) =>
  prepared<Key>(
    `SELECT space_no AS space, no FROM memories WHERE NOT EXISTS (SELECT 1 ${HAS_ROW})
     LIMIT ${max}`,
  )
// Both tables in the order of their keys, side by side. Right after the rows were made the planner does
// not know yet how many there are, and would choose what is good for few.
const OTHER_JOINS = prepared(
  "SELECT set_config('enable_nestloop', $1, true), set_config('enable_hashjoin', $1, true)",
)
// Locked, so that a deletion waits until the pieces are there, and then takes all of them along.
const HOLD = prepared<{ content: string }>(
  'SELECT content FROM memories WHERE space_no = $1 AND no = $2 FOR KEY SHARE',
)
const CONTENTS = prepared<Key & { id: string; content: string }>(
  `SELECT space_no AS space, no, id, content FROM memories
   WHERE (space_no, no) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
   ORDER BY space_no, no`,
)
const HAS_PIECES = prepared(
  'SELECT 1 FROM pieces WHERE space_no = $1 AND generation = $2 AND memory_no = $3 LIMIT 1',
)
// Locked, so that whoever discards it waits for what is being added, and finds it when its rows are removed.
const HOLD_GROWING = prepared<{ no: number }>(
  "SELECT no FROM generations WHERE state = 'growing' FOR SHARE",
)
const COUNTS = prepared<{ memories: number; embedded: number }>(
  `SELECT (SELECT count(*) FROM memories) AS memories,
     (SELECT count(*) FROM pieces WHERE generation = $1 AND part = 0) AS embedded`,
)
const WITH_UNCOUNTED = prepared<{ space: SpaceId }>(
  'SELECT DISTINCT space_no AS space FROM uncounted WHERE generation = $1',
)
const RETIRE = prepared("UPDATE generations SET state = 'retired' WHERE state = $1")
const PROMOTE = prepared("UPDATE generations SET state = 'current' WHERE state = 'growing'")
const FORGET_RETIRED = prepared("DELETE FROM generations WHERE state = 'retired'")

/** What only the owner of the tables can do. */
type OwnerWork = {
  /** Undefined, after a pause, when others use the table: to be tried again. */
  begin(model: VectorModel): Promise<{ result: Generation } | undefined>
  /** False, after a pause, when others use the table: to be tried again. */
  dropVectorIndex(generation: number): Promise<boolean>
}

/** `lookAfter` is that of upkeep.ts, which servers do by themselves. */
export function reembedding(
  database: Database,
  owner: OwnerWork,
  lookAfter: LookAfter,
): Omit<ReembeddingStore, 'close'> {
  /** Every memory up to this one had pieces, or is gone; one before it may still be committed. */
  let passed = START
  /** Since their spaces were looked after. */
  let added = 0
  const retiredRows = new RetiredRows(database)
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
    { ref: { space, no }, pieces }: Embedded,
  ): Promise<void> {
    if (pieces.length === 0) throw new Error('A memory without a piece could never be found.')
    const memory = await transaction.one(HOLD, [space, no])
    if (memory === undefined) return
    const place = { space, generation, memoryNo: no }
    if (await transaction.one(HAS_PIECES, [space, generation, no])) return
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
      const found = await database.query(statement, [generation])
      for (const { space } of found) await lookAfter(space, generation)
    }
    mayHaveUnindexed = false
  }

  async function contentsOf(
    transaction: Transaction,
    keys: readonly Key[],
    charactersMax: number,
  ): Promise<Unembedded[]> {
    const found = await transaction.all(CONTENTS, [
      keys.map(({ space }) => space),
      keys.map(({ no }) => no),
    ])
    const chosen: Unembedded[] = []
    let characters = 0
    for (const { space, no, id, content } of found) {
      characters += content.length
      if (chosen.length > 0 && characters > charactersMax) break
      chosen.push({ ref: { space, no }, id, content })
    }
    return chosen
  }

  async function missing(
    transaction: Transaction,
    { memoriesMax, charactersMax }: { memoriesMax: number; charactersMax: number },
  ): Promise<Unembedded[]> {
    const generation = await growing(transaction)
    let hasRestarted = passed === START
    for (;;) {
      const seen = await transaction.all(SEE, [generation, passed.space, passed.no])
      const without = seen.filter((row) => !row.is_done)
      const last = seen.at(-1)
      if (last === undefined) {
        // Created since in a space that was passed, or begun earlier and committed later.
        if (hasRestarted) return []
        hasRestarted = true
        passed = START
        continue
      }
      const [first] = without
      passed = first === undefined ? last : { space: first.space, no: first.no - 1 }
      const some = without.slice(0, memoriesMax)
      if (some.length > 0) return contentsOf(transaction, some, charactersMax)
    }
  }

  /** Of all memories; undefined when it is more than `max`. */
  async function allMissing(
    transaction: Transaction,
    max: number,
  ): Promise<Unembedded[] | undefined> {
    const generation = await growing(transaction)
    const [, keys] = await Promise.all([
      transaction.run(OTHER_JOINS, ['off']),
      transaction.all(missingStatement(max + 1), [generation]),
      transaction.run(OTHER_JOINS, ['on']),
    ])
    return keys.length > max ? undefined : contentsOf(transaction, keys, Number.POSITIVE_INFINITY)
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

    async begin(model, waiting) {
      passed = START
      for (;;) {
        const begun = await owner.begin(model)
        if (begun !== undefined) return begun.result
        waiting?.stop.throwIfAborted()
        waiting?.onWait()
      }
    },

    locate: (source) =>
      database.transaction((transaction) => locateGeneration(transaction, 'growing', source)),

    missing: (limits) => read((transaction) => missing(transaction, limits)),

    async add(embedded) {
      await database.transaction(async (transaction) => {
        const generation = await transaction.one(HOLD_GROWING, [])
        if (generation === undefined) throw new Error('No generation is growing.')
        for (const each of embedded) await addPieces(transaction, generation.no, each)
      })
      added += embedded.length
      if (added >= ADDED_MAX) await lookAfterAll()
    },

    async switchOver({ restMax, waitMsMax, embed }) {
      await lookAfterAll()
      // Creates do not wait for a look that says no, and what it has read is at hand for the next one.
      if (!(await read((transaction) => allMissing(transaction, restMax)))) return false
      try {
        return await database.transaction(async (transaction) => {
          await holdGenerationAlone(transaction)
          const rest = await allMissing(transaction, restMax)
          if (rest === undefined) return false
          const embedded = await embedRest(rest, { waitMsMax, embed })
          const generation = await growing(transaction)
          for (const each of embedded) await addPieces(transaction, generation, each)
          await transaction.run(RETIRE, ['current'])
          await transaction.run(PROMOTE, [])
          return true
        })
      } catch (error) {
        return whyNotSwitched(error)
      }
    },

    discard: () =>
      database.transaction(async (transaction) => {
        await transaction.run(RETIRE, ['growing'])
      }),

    async removeRetired() {
      const retired = await read((transaction) => findGeneration(transaction, 'retired'))
      if (retired === undefined) return false
      // The index goes last, since it may have to wait.
      if (await retiredRows.removeSome(retired.number)) return true
      if (!(await owner.dropVectorIndex(retired.number))) return true
      await database.transaction((transaction) => transaction.run(FORGET_RETIRED, []))
      return false
    },
  }
}
