// Ranks memories from their evidence, by the same function and to the last digit as the embedded
// store: the memories that may be among the best, given the bound of the database's cosines, are
// scored again from the exact vectors, which are read for those few alone.
import type { QueryPart, SearchQuery } from '../../retrieval/evidence.ts'
import { SAME_TEXT_COSINE_MIN, scoreOf, strengthFor } from '../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import { Candidates } from '../ranking/candidates.ts'
import { cosineOf } from '../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../ranking/explain.ts'
import { type Ranked, Ranking } from '../ranking/ranking.ts'
import { Strengths } from '../ranking/strengths.ts'
import type { EvidenceTable } from './evidence.ts'

/** Of sums of numbers around one, and far above it. */
const ROUNDING = 1e-9
/** How many more than asked for are read at once. */
const READ_AHEAD = 8

type Cut = { limit: number; threshold: number }
/** The vectors of memories, by their numbers in the database, in the order of their rows. */
type VectorsOf = (nos: readonly number[]) => Promise<ReadonlyMap<number, Float32Array[]>>

export class EvidenceRanking {
  readonly #table: EvidenceTable
  readonly #query: SearchQuery
  readonly #terms: readonly WeighedTerm[]
  readonly #strengths: Strengths
  readonly #vectorsOf: VectorsOf
  readonly #scratch: Float64Array

  constructor(
    table: EvidenceTable,
    { query, terms }: { query: SearchQuery; terms: readonly WeighedTerm[] },
    vectorsOf: VectorsOf,
  ) {
    const hasNames = terms.some(({ isName }) => isName)
    const { columns, commonness, matches } = table
    this.#table = table
    this.#query = query
    this.#terms = terms
    this.#strengths = new Strengths({ query, matches, hasNames }, columns, commonness)
    this.#vectorsOf = vectorsOf
    this.#scratch = new Float64Array(commonness.length)
  }

  /** Of all rows in the table; undefined when none is known. */
  get commonnessMin(): number | undefined {
    const known = this.#table.commonness.filter((commonness) => !Number.isNaN(commonness))
    return known.length === 0 ? undefined : known.reduce((one, other) => Math.min(one, other))
  }

  /** The best of the memories in the table; `no` is that of the database. */
  async best(cut: Cut): Promise<Ranked[]> {
    const { weights } = this.#strengths
    const { candidates, bound } = this.#measure(cut)
    const ranking = new Ranking(cut.limit)
    const ordered = candidates.inOrder()
    for (let from = 0; from < ordered.length; from += cut.limit + READ_AHEAD) {
      const some = ordered.slice(from, from + cut.limit + READ_AHEAD).map((candidate) => {
        const least = scoreOf({ strength: candidate.strength - bound, cosine: 0 }, weights)
        const most = scoreOf({ strength: candidate.strength + bound, cosine: 0 }, weights)
        const isKnown = least === most && !candidate.isMaybeSame
        return { ...candidate, known: isKnown ? least : undefined }
      })
      const needed = () => strengthFor(Math.max(cut.threshold, ranking.scoreMin), weights)
      if (some.every((each) => !each.isMaybeSame && each.strength + bound < needed())) break
      const unknown = some.filter(({ known }) => known === undefined)
      const vectors = await this.#vectorsOf(unknown.map(({ memory }) => this.#noOf(memory)))
      for (const { memory, known } of some) {
        const entry = this.#table.memories[memory]
        if (entry === undefined) continue
        const score = known ?? this.#exactScore(memory, vectors.get(entry.no) ?? [])
        if (score >= cut.threshold) ranking.offer(score, entry)
      }
    }
    return ranking.best()
  }

  /** Why a memory has its score. Undefined when it is not in the table. */
  async explain({ no, score }: Ranked): Promise<RankedExplanation | undefined> {
    const memory = this.#table.memories.findIndex((entry) => entry.no === no)
    const [part] = this.#query.parts
    if (memory === -1 || part === undefined) return undefined
    const vectors = (await this.#vectorsOf([no])).get(no) ?? []
    const cosines = this.#exactCosines(memory, vectors, part)
    const { columns, hasAny } = this.#table
    const explained = { memory, score, part, terms: this.#terms, cosines, hasAny }
    return explainScore(columns, this.#strengths, explained)
  }

  #noOf(memory: number): number {
    return this.#table.memories[memory]?.no ?? 0
  }

  #measure(cut: Cut) {
    const { columns, cosines, memories, same } = this.#table
    const { parts, calibration } = this.#query
    const sums = {
      strengths: new Float64Array(columns.end),
      cosines: new Float64Array(columns.end),
    }
    for (const [place, part] of parts.entries()) {
      this.#strengths.addTo(sums, part, cosines[place] ?? this.#scratch, columns.all)
    }
    const error = boundOfSums(parts[0]?.vector.length ?? 0)
    // A strength changes by no more than the similarity that changes most.
    const bound = error * calibration.cosine.scale + ROUNDING
    const candidates = new Candidates(cut, bound, this.#strengths.weights)
    for (const memory of memories.keys()) {
      const strength = sums.strengths[memory] ?? 0
      const nearest = sums.cosines[memory] ?? 0
      const isMaybeSame = nearest >= SAME_TEXT_COSINE_MIN - error - ROUNDING || same.has(memory)
      if (strength < candidates.strengthMin && !isMaybeSame) continue
      candidates.offer({ memory, strength, isMaybeSame })
    }
    return { candidates, bound }
  }

  #exactScore(memory: number, vectors: readonly Float32Array[]): number {
    if (this.#table.same.has(memory)) return 1
    const { parts } = this.#query
    const one = Uint32Array.of(memory)
    const sums = { strengths: new Float64Array(memory + 1), cosines: new Float64Array(memory + 1) }
    for (const part of parts) {
      this.#strengths.addTo(sums, part, this.#exactCosines(memory, vectors, part), one)
    }
    const strength = sums.strengths[memory] ?? 0
    const cosine = sums.cosines[memory] ?? 0
    return scoreOf({ strength, cosine }, this.#strengths.weights)
  }

  /** By row; those of other memories mean nothing. */
  #exactCosines(memory: number, vectors: readonly Float32Array[], part: QueryPart): Float64Array {
    const { columns } = this.#table
    let place = 0
    for (const unit of columns.unitsOf(memory)) {
      for (const row of columns.rowsOf(unit)) {
        const vector = vectors[place]
        if (vector !== undefined) this.#scratch[row] = cosineOf(vector, part.vector)
        place += 1
      }
    }
    return this.#scratch
  }
}

/** How far a sum of 32-bit products can be off, in whatever order they were added. */
const boundOfSums = (dimension: number): number => (dimension + 1) * 2 ** -23
