// A search in one space, in one snapshot. A space, or what a filter leaves of it, is scored whole up to EXACT_MAX
// memories. Above, the candidates of near.ts are scored: first the nearest rows by the index of vectors (by a scan
// where a filter leaves up to SCAN_MAX) and the memories with the query's terms. When too few are found, and others
// may reach the threshold, a scan takes the place of the index; then many more memories with the terms join.
// decisions/2026-11-21-postgres-search.md
import type { SearchQuery } from '../../retrieval/evidence.ts'
import { strengthFor } from '../../retrieval/scoring.ts'
import {
  candidatesForMissing,
  termsToCount,
  type WeighedTerm,
  weighTerms,
} from '../../retrieval/weighing.ts'
import type { Ranked } from '../ranking/ranking.ts'
import { Strengths } from '../ranking/strengths.ts'
import type { ScoredMemory, SpaceId } from '../records.ts'
import type { MemoryFilter, SearchCut } from '../store.ts'
import { whereOf } from './conditions.ts'
import { readInts8, readVector } from './connection/binary.ts'
import type { Snapshot } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { isTimeout } from './failure.ts'
import { numbersOf } from './memory-lists.ts'
import { toConditions } from './memory-rows.ts'
import { expectInUse, INDEXED_DIMENSION_MAX } from './reembedding/generations.ts'
import { type Among, type Place, readEvidence } from './search/evidence.ts'
import { EvidenceRanking } from './search/evidence-ranking.ts'
import { listedPieces } from './search/listed.ts'
import {
  FIRST_BY_TERMS,
  INDEX_SETTINGS,
  MORE_BY_TERMS,
  memoriesToChooseFrom,
  memoriesWithTerms,
  type Nearest,
  nearestByIndex,
  nearestByScan,
  nearestOf,
  type TermsCut,
  type WithTerms,
} from './search/near.ts'
import type { Passing } from './search/passing.ts'
import { scoredMemories } from './search/scored-memories.ts'
import { EXACT_MAX, SCAN_MAX } from './search/search-size.ts'
import { strengthOfUnseen } from './search/unseen.ts'
import { Turn } from './turn.ts'
import { countTerms, type TermCounts } from './upkeep/term-counts.ts'
import type { Upkeep } from './upkeep/upkeep.ts'

type WeighedQuery = { query: SearchQuery; terms: readonly WeighedTerm[]; counts: TermCounts }
type Near = {
  numbers: number[]
  withTerms: WithTerms
  /** See unseen.ts; undefined when the index ended early, so that nothing is known of the others. */
  furthest: number[] | undefined
  /** For some part of the query the nearest memories are too few. */
  isShort: boolean
}
type Ranker = { ranking: EvidenceRanking; ranked: Ranked[] }

const VECTORS = prepared<{ no: number; vector: Buffer }>(
  `SELECT memory_no AS no, vector_send(vector) AS vector FROM ${listedPieces('$2', '$3')}
   ORDER BY memory_no, part`,
)

type Asked = { query: SearchQuery; filter: MemoryFilter; cut: SearchCut; generation: number }

export function searchMemories(
  snapshot: Snapshot,
  space: SpaceId,
  { query, filter, cut, generation }: Asked,
  upkeep: Upkeep,
): Promise<ScoredMemory[]> {
  const place = { space, generation }
  return snapshot(async (transaction) => {
    const [, weighed] = await Promise.all([
      expectInUse(transaction, generation),
      weigh(transaction, place, query).catch((error: unknown) => {
        // What is counted by then is quick to read for the next search.
        if (isTimeout(error)) upkeep.noteUncounted(space, generation, Number.POSITIVE_INFINITY)
        throw error
      }),
    ])
    upkeep.noteUncounted(space, generation, weighed.counts.uncounted)
    const search = new Search(transaction, place, weighed, cut)
    const { ranking, ranked } = await search.best(filter)
    return scoredMemories(transaction, place, ranked, cut.explains ? ranking : undefined)
  }, INDEX_SETTINGS)
}

/** What the space knows about the terms of the query. */
async function weigh(
  transaction: Transaction,
  place: Place,
  query: SearchQuery,
): Promise<WeighedQuery> {
  const { terms } = query
  let counts = await countTerms(transaction, place, termsToCount(terms))
  const missing = candidatesForMissing(terms, counts.with)
  if (missing.length > 0) {
    const known = counts
    const meant = await countTerms(transaction, place, missing)
    counts = { ...known, with: (term) => known.with(term) || meant.with(term) }
  }
  return { query, terms: weighTerms(terms, counts.memories, counts.with), counts }
}

class Search {
  readonly #transaction: Transaction
  readonly #place: Place
  readonly #weighed: WeighedQuery
  readonly #strengths: Strengths
  readonly #cut: SearchCut

  constructor(transaction: Transaction, place: Place, weighed: WeighedQuery, cut: SearchCut) {
    this.#transaction = transaction
    this.#place = place
    this.#weighed = weighed
    this.#strengths = new Strengths(weighed.query, weighed.terms)
    this.#cut = cut
  }

  async best(filter: MemoryFilter): Promise<Ranker> {
    const filtered = await this.#passing(filter)
    const numbers = await this.#numbers(filtered)
    if (numbers === 'all' || (numbers && numbers.length <= EXACT_MAX)) return this.#rank(numbers)
    if (numbers === undefined) {
      const near = await this.#near(filtered, 'index')
      const found = near.isShort ? undefined : await this.#rank(near.numbers)
      if (found && this.#isEnough(near, found)) return found
    }
    const near = await this.#near(filtered, numbers ?? 'scan')
    const found = await this.#rank(near.numbers)
    if (near.withTerms.isWhole || this.#isEnough(near, found)) return found
    const withTerms = await this.#withTerms(filtered, numbers, MORE_BY_TERMS)
    return this.#rank([...new Set([...near.numbers, ...withTerms.numbers])])
  }

  #isEnough(near: Near, found: Ranker): boolean {
    return found.ranked.length === this.#cut.limit || this.#isAll(near, found)
  }

  /** Whether no memory that was not read can reach the threshold. */
  #isAll({ furthest, withTerms }: Near, { ranking }: Ranker): boolean {
    if (furthest === undefined) return false
    const { weights } = this.#strengths
    const strength = strengthOfUnseen(this.#weighed.query, weights, {
      furthest,
      coverage: Math.min(1, withTerms.coverageOfOthers),
      canHaveNames: withTerms.othersCanHaveNames,
      commonnessMin: ranking.commonnessMin,
    })
    return strength < strengthFor(this.#cut.threshold, weights)
  }

  async #passing(filter: MemoryFilter): Promise<Passing | undefined> {
    const conditions = toConditions(filter)
    if (conditions.length === 0) return undefined
    return { conditions, numbers: await numbersOf(this.#transaction, this.#place.space, filter) }
  }

  /** Of what passes; undefined when it is too much for a scan. */
  async #numbers(filtered: Passing | undefined): Promise<Among | undefined> {
    if (filtered === undefined) {
      return this.#weighed.counts.memories <= EXACT_MAX ? 'all' : undefined
    }
    const { from, conditions } = filtered.numbers
    const { where, values } = whereOf(conditions)
    const row = await this.#transaction.one(
      prepared<{ numbers: Buffer | null }>(
        `SELECT string_agg(int8send(no), ''::bytea) AS numbers FROM (
           SELECT no FROM ${from} WHERE ${where} LIMIT ${SCAN_MAX + 1}) AS passing`,
      ),
      values,
    )
    const numbers = readInts8(row?.numbers ?? null)
    return numbers.length <= SCAN_MAX ? numbers : undefined
  }

  /** Candidates by the index, by a scan of the space, or by one of the memories with the numbers. */
  async #near(
    passing: Passing | undefined,
    by: 'index' | 'scan' | readonly number[],
  ): Promise<Near> {
    const { query, counts } = this.#weighed
    const { limit } = this.#cut
    const dimension = query.parts[0]?.vector.length ?? 0
    const filtered = { query, dimension, passing }
    const rows = by === 'index' ? 'without-code' : 'all'
    const [indexed, scanned, withTerms] = await Promise.all([
      by === 'index'
        ? nearestByIndex(this.#transaction, this.#place, { ...filtered, limit })
        : undefined,
      typeof by === 'string'
        ? nearestByScan(this.#transaction, this.#place, { ...filtered, rows })
        : nearestOf(this.#transaction, this.#place, query, by),
      this.#withTerms(passing, typeof by === 'string' ? undefined : by, FIRST_BY_TERMS),
    ])
    const lists = query.parts.map((_, part) =>
      [indexed?.[part], scanned[part]].filter((list) => list !== undefined),
    )
    // A scan of a space that is not much larger takes no longer than one of what a filter leaves. What is not in
    // the index yet says nothing of what it leaves out.
    const canScan = counts.memories <= SCAN_MAX && dimension <= INDEXED_DIMENSION_MAX
    const toldMin = canScan ? memoriesToChooseFrom(limit) : 0
    const nearest = lists.map((both) => new Set(both.flatMap(({ numbers }) => numbers)))
    return {
      numbers: [...new Set([...nearest.flatMap((numbers) => [...numbers]), ...withTerms.numbers])],
      withTerms,
      furthest: furthestOf(indexed, lists),
      isShort:
        nearest.some((numbers) => numbers.size < limit) ||
        (indexed ?? []).some(({ numbers }) => numbers.length < toldMin),
    }
  }

  #withTerms(
    filtered: Passing | undefined,
    passing: readonly number[] | undefined,
    cut: TermsCut,
  ): Promise<WithTerms> {
    const { query, terms, counts } = this.#weighed
    const { conditions } = filtered ?? { conditions: [] }
    const asked = { terms, identity: query.identity, counts, conditions, passing, cut }
    return memoriesWithTerms(this.#transaction, this.#place, asked)
  }

  async #rank(among: Among): Promise<Ranker> {
    const { query, terms } = this.#weighed
    const scored = { query, terms, strengths: this.#strengths }
    const table = await readEvidence(this.#transaction, this.#place, scored, among)
    const ranking = new EvidenceRanking(table, scored, (nos) =>
      vectorsOf(this.#transaction, this.#place, nos),
    )
    return { ranking, ranked: await ranking.best(this.#cut) }
  }
}

/** Lists that were not cut tell of every row, but for those of the index, which may end early. */
function furthestOf(
  indexed: readonly Nearest[] | undefined,
  lists: readonly (readonly Nearest[])[],
): number[] | undefined {
  if (indexed?.some(({ furthest }) => furthest === undefined)) return undefined
  return lists.map((both) => Math.max(...both.flatMap(({ furthest }) => furthest ?? [])))
}

async function vectorsOf(
  transaction: Transaction,
  { space, generation }: Place,
  nos: readonly number[],
): Promise<Map<number, Float32Array[]>> {
  const vectors = new Map<number, Float32Array[]>()
  if (nos.length === 0) return vectors
  const rows = await transaction.all(VECTORS, [space, generation, nos])
  const turn = new Turn()
  for (const { no, vector } of rows) {
    if (turn.isOver()) await turn.pass()
    const own = vectors.get(no) ?? []
    vectors.set(no, own)
    own.push(readVector(vector))
  }
  return vectors
}
