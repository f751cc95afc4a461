// The exact score of one memory after the other, each from its rows in the database: whatever is in
// memory only says which ones to look at, so nothing there can make a score wrong.
import { ASKING_MARK } from '../../../retrieval/asking.ts'
import type { QueryPart, SearchQuery } from '../../../retrieval/evidence.ts'
import { scoreOf } from '../../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../../ranking/explain.ts'
import { MemoryColumns } from '../../ranking/memory-columns.ts'
import { withRoom } from '../../ranking/slots.ts'
import { Strengths } from '../../ranking/strengths.ts'
import type { IndexedPiece } from './indexed.ts'

export class MemoryEvidence {
  readonly #query: SearchQuery
  readonly #terms: readonly WeighedTerm[]
  readonly #columns = new MemoryColumns()
  #commonness = new Float32Array(0)
  #cosines = new Float64Array(0)
  #matches = { coverage: new Float64Array(0), nameCoverage: new Float64Array(0) }
  /** Of the memory of the moment, in the order of its pieces. */
  #units: readonly number[] = []
  readonly #sums = { strengths: new Float64Array(1), cosines: new Float64Array(1) }

  constructor(query: SearchQuery, terms: readonly WeighedTerm[]) {
    this.#query = query
    this.#terms = terms
  }

  scoreOf(pieces: readonly IndexedPiece[]): number {
    if (this.#isSame(pieces)) return 1
    const memory = this.#load(pieces)
    const strengths = this.#strengths()
    this.#sums.strengths.fill(0)
    this.#sums.cosines.fill(0)
    for (const part of this.#query.parts) {
      this.#compare(pieces, part)
      strengths.addTo(this.#sums, part, this.#cosines, Uint32Array.of(memory))
    }
    this.#columns.remove(memory)
    const [strength = 0] = this.#sums.strengths
    const [cosine = 0] = this.#sums.cosines
    return scoreOf({ strength, cosine }, strengths.weights)
  }

  /** Undefined for a memory, or a query, without pieces. */
  explain(pieces: readonly IndexedPiece[]): RankedExplanation | undefined {
    const score = this.scoreOf(pieces)
    const [part] = this.#query.parts
    if (part === undefined) return undefined
    const memory = this.#load(pieces)
    this.#compare(pieces, part)
    const explained = explainScore(this.#columns, this.#strengths(), {
      memory,
      score,
      part,
      terms: this.#terms,
      cosines: this.#cosines,
      hasAny: (unit, forms) => hasAny(pieces[this.#units.indexOf(unit)], forms),
    })
    this.#columns.remove(memory)
    return explained
  }

  #strengths(): Strengths {
    const hasNames = this.#terms.some(({ isName }) => isName)
    const asked = { query: this.#query, matches: this.#matches, hasNames }
    return new Strengths(asked, this.#columns, this.#commonness)
  }

  /** The identity of a text stands among the terms of its first piece. */
  #isSame([first]: readonly IndexedPiece[]): boolean {
    return first?.terms.includes(this.#query.identity) ?? false
  }

  /** Rows are counted from 0, since there is never another memory. */
  #load(pieces: readonly IndexedPiece[]): number {
    let row = 0
    const rows = pieces.map(({ embeddings }) =>
      embeddings.map(({ commonness }) => {
        this.#commonness = withRoom(this.#commonness, row)
        this.#cosines = withRoom(this.#cosines, row)
        this.#commonness[row] = commonness ?? Number.NaN
        row += 1
        return row - 1
      }),
    )
    const isAsking = pieces.some(({ terms }) => terms.includes(ASKING_MARK))
    const { memory, units } = this.#columns.add(rows, isAsking)
    this.#units = units
    if (this.#matches.coverage.length < units.length) {
      this.#matches = {
        coverage: new Float64Array(units.length * 2),
        nameCoverage: new Float64Array(units.length * 2),
      }
    }
    for (const [place, unit] of units.entries()) this.#match(unit, pieces[place])
    return memory
  }

  #match(unit: number, piece: IndexedPiece | undefined): void {
    const names = this.#terms.filter(({ isName }) => isName).length
    let coverage = 0
    let nameCoverage = 0
    for (const { forms, isName, share } of this.#terms) {
      if (!hasAny(piece, forms)) continue
      coverage += share
      if (isName) nameCoverage += 1 / names
    }
    this.#matches.coverage[unit] = coverage
    this.#matches.nameCoverage[unit] = nameCoverage
  }

  #compare(pieces: readonly IndexedPiece[], part: QueryPart): void {
    let row = 0
    for (const { embeddings } of pieces) {
      for (const { vector } of embeddings) {
        this.#cosines[row] = cosineOf(vector, part.vector)
        row += 1
      }
    }
  }
}

const hasAny = (piece: IndexedPiece | undefined, forms: readonly string[]): boolean =>
  forms.some((form) => piece?.terms.includes(form))
