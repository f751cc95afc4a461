// Ranks memories from their evidence, by the same function and to the last digit as the embedded
// store: the memories that may be among the best, given the bound of the database's cosines, are
// scored again from the exact vectors, which are read for those few alone.
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { SAME_TEXT_COSINE_MIN, scoreOf, strengthFor } from '../../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import { type Candidate, Candidates, ROUNDING } from '../../ranking/candidates.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../../ranking/explain.ts'
import { type Ranked, Ranking } from '../../ranking/ranking.ts'
import type { RowColumns, Strengths } from '../../ranking/strengths.ts'
import { Turn } from '../turn.ts'
import type { EvidenceOfMemory, EvidenceTable, ScoredQuery } from './evidence.ts'

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
  readonly #exact: EvidenceTable['rows']
  readonly #turn = new Turn()

  constructor(
    table: EvidenceTable,
    { query, terms, strengths }: ScoredQuery,
    vectorsOf: VectorsOf,
  ) {
    this.#table = table
    this.#query = query
    this.#terms = terms
    this.#strengths = strengths
    this.#vectorsOf = vectorsOf
    const { commonness, cosines } = table.rows
    this.#exact = { commonness, cosines: cosines.map(({ length }) => new Float64Array(length)) }
  }

  /** Of all rows in the table; undefined when none is known. */
  get commonnessMin(): number | undefined {
    const { commonness } = this.#table.rows
    const known = commonness.filter((each) => !Number.isNaN(each))
    return known.length === 0 ? undefined : known.reduce((one, other) => Math.min(one, other))
  }

  /** The best of the memories in the table; `no` is that of the database. */
  async best(cut: Cut): Promise<Ranked[]> {
    const { weights } = this.#strengths
    const { candidates, bound } = await this.#measure(cut)
    const ranking = new Ranking<EvidenceOfMemory>(cut.limit, ({ id }) => id)
    const ordered = candidates.inOrder()
    for (let from = 0; from < ordered.length; from += cut.limit + READ_AHEAD) {
      const some = ordered.slice(from, from + cut.limit + READ_AHEAD).map((candidate) => {
        const least = scoreOf({ strength: candidate.strength - bound, cosine: 0 }, weights)
        const most = scoreOf({ strength: candidate.strength + bound, cosine: 0 }, weights)
        const isKnown = least === most && !candidate.isMaybeSame
        return { ...candidate, known: isKnown ? least : undefined }
      })
      const needed = () => strengthFor(Math.max(cut.threshold, ranking.scoreMin), weights)
      const isOut = ({ isMaybeSame, strength, createdAt }: (typeof some)[number]): boolean =>
        isMaybeSame ? ranking.isClosedTo(1, createdAt) : strength + bound < needed()
      if (some.every(isOut)) break
      const unknown = some.filter(({ known }) => known === undefined)
      const vectors = await this.#vectorsOf(
        unknown.flatMap(({ memory }) => this.#table.memories[memory]?.no ?? []),
      )
      for (const { memory, known } of some) {
        const entry = this.#table.memories[memory]
        if (entry === undefined) continue
        const score = known ?? (await this.#exactScore(entry, vectors.get(entry.no) ?? []))
        if (score >= cut.threshold) ranking.offer(score, entry)
      }
    }
    return ranking.best()
  }

  /** Why a memory has its score. Undefined when it is not in the table. */
  async explain({ no, score }: Ranked): Promise<RankedExplanation | undefined> {
    const memory = this.#table.memories.find((entry) => entry.no === no)
    if (memory === undefined || this.#query.parts.length === 0) return undefined
    const vectors = (await this.#vectorsOf([no])).get(no) ?? []
    return explainScore(this.#strengths, {
      memory,
      score,
      terms: this.#terms,
      rows: await this.#exactRows(memory, vectors),
      termsOf: ({ forms }) => forms,
    })
  }

  async #measure(cut: Cut) {
    const { rows, memories } = this.#table
    const { parts, calibration } = this.#query
    const error = boundOfSums(parts[0]?.vector.length ?? 0)
    // A strength changes by no more than the similarity that changes most.
    const bound = error * calibration.cosine.scale + ROUNDING
    const candidates = new Candidates<Candidate & { memory: number }>(
      cut,
      bound,
      this.#strengths.weights,
    )
    for (const [memory, entry] of memories.entries()) {
      if (this.#turn.isOver()) await this.#turn.pass()
      const { strength, cosine } = this.#strengths.of(entry, rows)
      const isMaybeSame = cosine >= SAME_TEXT_COSINE_MIN - error - ROUNDING || entry.isSame
      if (strength < candidates.strengthMin && !isMaybeSame) continue
      candidates.offer({ memory, createdAt: entry.createdAt, strength, isMaybeSame })
    }
    return { candidates, bound }
  }

  async #exactScore(memory: EvidenceOfMemory, vectors: readonly Float32Array[]): Promise<number> {
    if (memory.isSame) return 1
    const sums = this.#strengths.of(memory, await this.#exactRows(memory, vectors))
    return scoreOf(sums, this.#strengths.weights)
  }

  /** Those of other memories mean nothing. */
  async #exactRows(
    { pieces }: EvidenceOfMemory,
    vectors: readonly Float32Array[],
  ): Promise<RowColumns> {
    const first = pieces[0]?.row ?? 0
    for (const [place, part] of this.#query.parts.entries()) {
      if (this.#turn.isOver()) await this.#turn.pass()
      const cosines = vectors.map((vector) => cosineOf(vector, part.vector))
      this.#exact.cosines[place]?.set(cosines, first)
    }
    return this.#exact
  }
}

/** How far a sum of 32-bit products can be off, in whatever order they were added. */
const boundOfSums = (dimension: number): number => (dimension + 1) * 2 ** -23
