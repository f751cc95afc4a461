// The exact score of one memory after the other, each from its rows in the database: whatever is in
// memory only says which ones to look at, so nothing there can make a score wrong.
import { ASKING_MARK } from '../../../../retrieval/asking.ts'
import type { Weights } from '../../../../retrieval/calibration.ts'
import type { SearchQuery } from '../../../../retrieval/evidence.ts'
import { scoreOf } from '../../../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../../../retrieval/weighing.ts'
import { cosineOf, cosinesWithTwo } from '../../../ranking/cosine.ts'
import { explainScore, type RankedExplanation } from '../../../ranking/explain.ts'
import { type RowColumns, Strengths } from '../../../ranking/strengths.ts'
import type { IndexedPiece } from '../tables/indexed.ts'

export class MemoryEvidence {
  readonly #query: SearchQuery
  readonly #terms: readonly WeighedTerm[]
  readonly #strengths: Strengths
  readonly #parts: readonly Part[]
  /** All parts, when there are several: the second of the last pair may be the first one again. */
  readonly #pairs: readonly (readonly [one: WidePart, other: WidePart])[]
  #wide = new Float64Array(0)
  /** Those of the memory of the moment come first: new ones for each would leave more behind. */
  readonly #rows: { commonness: number[]; cosines: readonly number[][] }

  constructor(query: SearchQuery, terms: readonly WeighedTerm[]) {
    this.#query = query
    this.#terms = terms
    this.#strengths = new Strengths(query, terms)
    this.#parts = query.parts.map(({ vector }) => ({ vector, cosines: [] }))
    this.#pairs = this.#parts.length > 1 ? pairsOf(this.#parts.map(widen)) : []
    this.#rows = { commonness: [], cosines: this.#parts.map(({ cosines }) => cosines) }
  }

  scoreOf(pieces: readonly IndexedPiece[]): number {
    if (this.#isSame(pieces)) return 1
    const sums = this.#strengths.of(this.#ranked(pieces), this.#rowsOf(pieces))
    return scoreOf(sums, this.#strengths.weights)
  }

  /** By which the query is judged in this space. */
  get weights(): Weights {
    return this.#strengths.weights
  }

  /** What the words of the piece are worth that has most of them. */
  wordsOf(termsOfPieces: readonly (readonly string[])[]): number {
    return termsOfPieces.reduce(
      (most, terms) => Math.max(most, this.#strengths.wordsOf(this.#strengths.coverageOf(terms))),
      Number.NEGATIVE_INFINITY,
    )
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

  #rowsOf(pieces: readonly IndexedPiece[]): RowColumns {
    const { commonness } = this.#rows
    let row = 0
    for (const { embeddings } of pieces) {
      for (const embedding of embeddings) {
        commonness[row] = Math.fround(embedding.commonness ?? Number.NaN)
        this.#compare(embedding.vector, row)
        row += 1
      }
    }
    return this.#rows
  }

  #compare(vector: Float32Array, row: number): void {
    if (this.#pairs.length === 0) {
      for (const part of this.#parts) part.cosines[row] = cosineOf(vector, part.vector)
      return
    }
    if (this.#wide.length !== vector.length) this.#wide = new Float64Array(vector.length)
    this.#wide.set(vector)
    for (const [one, other] of this.#pairs) {
      const [withOne, withOther] = cosinesWithTwo(this.#wide, one.vector, other.vector)
      one.cosines[row] = withOne
      other.cosines[row] = withOther
    }
  }
}

type Part = { vector: Float32Array; cosines: number[] }
type WidePart = { vector: Float64Array; cosines: number[] }

const widen = ({ vector, cosines }: Part): WidePart => ({
  vector: Float64Array.from(vector),
  cosines,
})

function pairsOf<Each>(all: readonly Each[]): [Each, Each][] {
  const pairs: [Each, Each][] = []
  for (let at = 0; at < all.length; at += 2) {
    const [one, other = one] = all.slice(at, at + 2)
    if (one !== undefined && other !== undefined) pairs.push([one, other])
  }
  return pairs
}
