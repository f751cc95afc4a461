// The exact score of one memory after the other, each from its rows in the database: whatever is in
// memory only says which ones to look at, so nothing there can make a score wrong.
import { ASKING_MARK } from '../../../retrieval/asking.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { scoreOf } from '../../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../../ranking/explain.ts'
import { type Rows, Strengths } from '../../ranking/strengths.ts'
import type { IndexedPiece } from './indexed.ts'

export class MemoryEvidence {
  readonly #query: SearchQuery
  readonly #terms: readonly WeighedTerm[]
  readonly #strengths: Strengths
  readonly #parts: readonly { vector: Float32Array; cosines: number[] }[]
  /** Those of the memory of the moment come first: new ones for each would leave more behind. */
  readonly #rows: { commonness: number[]; cosines: readonly number[][] }

  constructor(query: SearchQuery, terms: readonly WeighedTerm[]) {
    this.#query = query
    this.#terms = terms
    this.#strengths = new Strengths(query, terms)
    this.#parts = query.parts.map(({ vector }) => ({ vector, cosines: [] }))
    this.#rows = { commonness: [], cosines: this.#parts.map(({ cosines }) => cosines) }
  }

  scoreOf(pieces: readonly IndexedPiece[]): number {
    if (this.#isSame(pieces)) return 1
    const sums = this.#strengths.of(this.#ranked(pieces), this.#rowsOf(pieces))
    return scoreOf(sums, this.#strengths.weights)
  }

  /** Undefined for a memory, or a query, without pieces. */
  explain(pieces: readonly IndexedPiece[]): RankedExplanation | undefined {
    if (this.#query.parts.length === 0) return undefined
    return explainScore(this.#strengths, {
      memory: this.#ranked(pieces),
      score: this.scoreOf(pieces),
      terms: this.#terms,
      rows: this.#rowsOf(pieces),
      termsOf: ({ terms }) => new Set(terms),
    })
  }

  /** The identity of a text stands among the terms of its first piece. */
  #isSame([first]: readonly IndexedPiece[]): boolean {
    return first?.terms.includes(this.#query.identity) ?? false
  }

  #ranked(pieces: readonly IndexedPiece[]) {
    let rowEnd = 0
    return {
      pieces: pieces.map(({ terms, embeddings }) => {
        const row = rowEnd
        rowEnd += embeddings.length
        const coverage = this.#strengths.coverageOf(terms)
        return { ...coverage, row, rowEnd, terms }
      }),
      isAsking: pieces.some(({ terms }) => terms.includes(ASKING_MARK)),
    }
  }

  #rowsOf(pieces: readonly IndexedPiece[]): Rows {
    const { commonness } = this.#rows
    let row = 0
    for (const { embeddings } of pieces) {
      for (const embedding of embeddings) {
        commonness[row] = Math.fround(embedding.commonness ?? Number.NaN)
        for (const { vector, cosines } of this.#parts) {
          cosines[row] = cosineOf(embedding.vector, vector)
        }
        row += 1
      }
    }
    return this.#rows
  }
}
