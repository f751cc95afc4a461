// The ranking of one space. Rebuilt from the rows whenever it is missing, so the rows stay the only
// truth; changes arrive after their commit and may arrive twice, which changes nothing.
//
// A search gives what scoring every memory from its exact vectors gives: a scan of codes tells each
// strength within a bound, and whoever can be among the best is scored from the vectors in the
// database. decisions/2026-11-21-exact-scan.md
import type { QueryPart, SearchQuery } from '../../retrieval/evidence.ts'
import { SAME_TEXT_COSINE_MIN, scoreOf, strengthFor } from '../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../retrieval/weighing.ts'
import { Candidates } from '../ranking/candidates.ts'
import { cosineOf } from '../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../ranking/explain.ts'
import { NONE } from '../ranking/memory-columns.ts'
import { type Ranked, Ranking } from '../ranking/ranking.ts'
import { Strengths } from '../ranking/strengths.ts'
import type { MemoryFilter } from '../store.ts'
import type { IndexedMemory, IndexedPiece } from './indexed.ts'
import type { Workspace } from './scan/workspace.ts'
import { type Entry, passes, SpaceTables } from './space-tables.ts'

type Asked = {
  query: SearchQuery
  /** With what this space knows about them. */
  terms: WeighedTerm[]
  strengths: Strengths
  /** The first pieces of the memories with the very text of the query. */
  same: ReadonlySet<number>
}

/** Of sums of numbers around one, and far above it. */
const ROUNDING = 1e-9

/**
 * The exact vectors of a memory in the order of its rows; none when it is gone. Then the memory has to
 * be removed, and the search to be made again.
 */
export type VectorsOf = (no: number) => readonly Float32Array[]

type Cut = { limit: number; threshold: number }

export class SearchIndex {
  readonly #tables: SpaceTables
  readonly #workspace: Workspace
  readonly #vectorsOf: VectorsOf

  constructor(vectorsOf: VectorsOf, workspace: Workspace) {
    this.#vectorsOf = vectorsOf
    this.#workspace = workspace
    this.#tables = new SpaceTables(workspace)
  }

  get bytes(): number {
    return this.#tables.bytes
  }

  add(memory: IndexedMemory, pieces: readonly IndexedPiece[]): void {
    this.#tables.add(memory, pieces)
  }

  remove(no: number): void {
    this.#tables.remove(no)
  }

  /** Lets go of the memory of the codes. The index must not be used any more. */
  release(): void {
    this.#tables.vectors.release()
  }

  /** The best of all memories that pass the filter. */
  search(query: SearchQuery, filter: MemoryFilter, cut: Cut): Ranked[] {
    const asked = this.#ask(query)
    const { strengths } = asked
    const { candidates, bound } = this.#measure(asked, filter, cut)
    const ranking = new Ranking(cut.limit)
    for (const { memory, strength, isMaybeSame } of candidates.inOrder()) {
      const needed = strengthFor(Math.max(cut.threshold, ranking.scoreMin), strengths.weights)
      if (!isMaybeSame && strength + bound < needed) break
      const entry = this.#tables.entryOf(memory)
      if (entry === undefined) continue
      const least = scoreOf({ strength: strength - bound, cosine: 0 }, strengths.weights)
      const most = scoreOf({ strength: strength + bound, cosine: 0 }, strengths.weights)
      const isKnown = least === most && !isMaybeSame
      const score = isKnown ? least : this.#exactScore(entry, asked)
      if (score !== undefined && score >= cut.threshold) ranking.offer(score, entry)
    }
    return ranking.best()
  }

  /** Why a memory has its score. Undefined when it is not there. */
  explain(query: SearchQuery, no: number): RankedExplanation | undefined {
    const { columns, terms } = this.#tables
    const entry = this.#tables.find(no)
    const [part] = query.parts
    const asked = this.#ask(query)
    const { strengths } = asked
    const score = entry && this.#exactScore(entry, asked)
    if (entry === undefined || part === undefined || score === undefined) return undefined
    const { memory } = entry
    const cosines = this.#exactCosines(memory, this.#vectorsOf(no), part)
    const hasAny = (unit: number, forms: readonly string[]) => terms.hasAny(unit, forms)
    const explained = { memory, score, part, terms: asked.terms, cosines, hasAny }
    return explainScore(columns, strengths, explained)
  }

  #ask(query: SearchQuery): Asked {
    const { terms: index, columns, vectors, size } = this.#tables
    const terms = index.weigh(query.terms, size)
    const matches = {
      coverage: this.#workspace.coverage.zeros(columns.unitEnd),
      nameCoverage: this.#workspace.nameCoverage.zeros(columns.unitEnd),
    }
    index.match(terms, matches)
    const hasNames = terms.some(({ isName }) => isName)
    const strengths = new Strengths({ query, matches, hasNames }, columns, vectors.commonness)
    return { query, terms, strengths, same: index.piecesWith(query.identity) }
  }

  /** A scan for each part of the query; then whoever may be among the best. */
  #measure(asked: Asked, filter: MemoryFilter, cut: Cut) {
    const { query, strengths } = asked
    const { columns, vectors } = this.#tables
    const among = this.#tables.among(filter)
    const memories = among ?? columns.all
    const rows = among && columns.rowsOfAll(among)
    const cosines = this.#workspace.cosines.of(vectors.end)
    const sums = {
      strengths: this.#workspace.strengths.zeros(columns.end),
      cosines: this.#workspace.nearest.zeros(columns.end),
    }
    const { parts, calibration } = query
    let error = 0
    for (const part of parts) {
      error += vectors.scan(part.vector, rows, cosines) / parts.length
      strengths.addTo(sums, part, cosines, memories)
    }
    // A strength changes by no more than the similarity that changes most.
    const bound = error * calibration.cosine.scale + ROUNDING
    const candidates = new Candidates(cut, bound, strengths.weights)
    const nearEnough = SAME_TEXT_COSINE_MIN - error - ROUNDING
    for (let place = 0; place < memories.length; place += 1) {
      const memory = memories[place] ?? 0
      const strength = sums.strengths[memory] ?? 0
      const isMaybeSame = (sums.cosines[memory] ?? 0) >= nearEnough || this.#isSame(memory, asked)
      if (strength < candidates.strengthMin && !isMaybeSame) continue
      const entry = this.#tables.entryOf(memory)
      if (entry !== undefined && passes(entry, filter)) {
        candidates.offer({ memory, strength, isMaybeSame })
      }
    }
    return { candidates, bound }
  }

  /** Undefined when the memory is gone. */
  #exactScore({ no, memory }: Entry, asked: Asked): number | undefined {
    if (this.#isSame(memory, asked)) return 1
    const { query, strengths } = asked
    const vectors = this.#vectorsOf(no)
    if (vectors.length === 0) return undefined
    const one = Uint32Array.of(memory)
    const sums = {
      strengths: this.#workspace.strengths.of(memory + 1),
      cosines: this.#workspace.nearest.of(memory + 1),
    }
    sums.strengths[memory] = 0
    sums.cosines[memory] = 0
    for (const part of query.parts) {
      strengths.addTo(sums, part, this.#exactCosines(memory, vectors, part), one)
    }
    const strength = sums.strengths[memory]
    const cosine = sums.cosines[memory]
    return scoreOf({ strength, cosine }, strengths.weights)
  }

  /** The identity of a text stands among the terms of its first piece. */
  #isSame(memory: number, { same }: Asked): boolean {
    return same.size > 0 && same.has(this.#tables.columns.firstUnit[memory] ?? NONE)
  }

  /** By row, in the workspace. */
  #exactCosines(memory: number, vectors: readonly Float32Array[], part: QueryPart): Float64Array {
    const { columns } = this.#tables
    const cosines = this.#workspace.cosines.of(this.#tables.vectors.end)
    let place = 0
    for (const unit of columns.unitsOf(memory)) {
      for (const row of columns.rowsOf(unit)) {
        const vector = vectors[place]
        if (vector !== undefined) cosines[row] = cosineOf(vector, part.vector)
        place += 1
      }
    }
    return cosines
  }
}
