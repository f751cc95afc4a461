// What a memory has to say for a query, as `scoring.ts` defines it, from the cosines of its rows: the
// same for cosines that are true within a bound and for exact ones.
import type { Weights } from '../../retrieval/calibration.ts'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import {
  type Evidence,
  meaningOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../retrieval/scoring.ts'
import { namesIn, type WeighedTerm } from '../../retrieval/weighing.ts'

/** What is known of rows, in columns. */
export type RowColumns = {
  /** Of 32 bits, as an index in memory holds it; NaN where it is not known. */
  commonness: ArrayLike<number>
  /** By part of the query, then by row. */
  cosines: readonly ArrayLike<number>[]
}

export type RankedPiece = {
  /** Its own row; those of its sentences follow, up to `rowEnd`. */
  row: number
  rowEnd: number
  /** The shares of the weight of the query's terms, and of its names, that it has, 0 to 1. */
  coverage: number
  nameCoverage: number
}

export type RankedMemory<Piece = RankedPiece> = { pieces: readonly Piece[]; isAsking: boolean }

/** Up to so many, the forms of a query are looked for one by one. */
const FEW_FORMS = 16

export class Strengths {
  readonly weights: Weights
  readonly #query: SearchQuery
  readonly #terms: readonly WeighedTerm[]
  /** By form, the places of the terms that it stands for; when there are many. */
  readonly #places = new Map<string, number[]>()
  readonly #areFew: boolean
  readonly #names: number

  constructor(query: SearchQuery, terms: readonly WeighedTerm[]) {
    this.#query = query
    this.#terms = terms
    this.#names = namesIn(terms)
    this.weights = weightsFor(query.calibration, { asks: query.asks, hasNames: this.#names > 0 })
    this.#areFew = terms.reduce((sum, { forms }) => sum + forms.length, 0) <= FEW_FORMS
    if (!this.#areFew) this.#placeForms()
  }

  /**
   * What a piece with these terms has of the query. A query may have thousands of forms, so then it is the
   * terms of the piece that are looked up among them, which for a few would take longer.
   */
  coverageOf(termsOfPiece: readonly string[]): Pick<RankedPiece, 'coverage' | 'nameCoverage'> {
    const sum = { coverage: 0, nameCoverage: 0 }
    if (this.#areFew) {
      for (const term of this.#terms) {
        if (term.forms.some((form) => termsOfPiece.includes(form))) this.#add(term, sum)
      }
      return sum
    }
    const found = termsOfPiece.flatMap((term) => this.#places.get(term) ?? [])
    // The same sum for the same terms, to the last digit, whatever their order in the piece.
    found.sort((one, other) => one - other)
    for (const [at, place] of found.entries()) {
      const term = this.#terms[place]
      if (term !== undefined && place !== found[at - 1]) this.#add(term, sum)
    }
    return sum
  }

  #add({ share, isName }: WeighedTerm, sum: { coverage: number; nameCoverage: number }): void {
    sum.coverage += share
    if (isName) sum.nameCoverage += 1 / this.#names
  }

  #placeForms(): void {
    for (const [place, { forms }] of this.#terms.entries()) {
      for (const form of forms) {
        const places = this.#places.get(form)
        if (places === undefined) this.#places.set(form, [place])
        else places.push(place)
      }
    }
  }

  /** What those of the piece are worth. */
  wordsOf({ coverage, nameCoverage }: Pick<RankedPiece, 'coverage' | 'nameCoverage'>): number {
    return strengthOf({ meaning: 0, coverage, nameCoverage, isAsking: false }, this.weights)
  }

  /**
   * Of its best piece for each part of the query, averaged over the parts. The cosine says which text is the
   * same: of a part that the model has not read whole, it says nothing.
   */
  of(memory: RankedMemory, rows: RowColumns): { strength: number; cosine: number } {
    const { length } = this.#query.parts
    const sum = { strength: 0, cosine: 0 }
    for (let part = 0; part < length; part += 1) {
      let strength = Number.NEGATIVE_INFINITY
      let nearest = -1
      for (const piece of memory.pieces) {
        const ofPiece = strengthOf(this.evidenceOf(memory, piece, rows, part), this.weights)
        const cosine = rows.cosines[part]?.[piece.row] ?? 0
        if (ofPiece > strength) strength = ofPiece
        if (cosine > nearest) nearest = cosine
      }
      sum.strength += strength / length
      if (this.#query.parts[part]?.hasUnknown !== true) sum.cosine += nearest / length
    }
    return sum
  }

  /** What one piece has to say for a part of the query, by its place. */
  evidenceOf(
    { isAsking }: RankedMemory,
    { row, rowEnd, coverage, nameCoverage }: RankedPiece,
    rows: RowColumns,
    part: number,
  ): Evidence {
    const { calibration, parts } = this.#query
    const piece = this.similarityOf(row, rows, part)
    let sentence = rowEnd > row + 1 ? Number.NEGATIVE_INFINITY : piece
    for (let other = row + 1; other < rowEnd; other += 1) {
      sentence = Math.max(sentence, this.similarityOf(other, rows, part))
    }
    return {
      meaning: meaningOf(piece, sentence, parts[part]?.commonness, calibration, this.weights),
      coverage,
      nameCoverage,
      isAsking,
    }
  }

  similarityOf(row: number, { commonness, cosines }: RowColumns, part: number): number {
    const common = commonness[row]
    const isKnown = common !== undefined && !Number.isNaN(common)
    const cosine = cosines[part]?.[row] ?? 0
    const nearness = { cosine, commonness: isKnown ? common : undefined }
    return similarityOf(nearness, this.#query.calibration, this.weights)
  }
}
