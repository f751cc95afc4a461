// What the memories of a space have to say for a query, as `scoring.ts` defines it, from the cosines
// of their rows: the same for cosines within a bound, of all memories, and for exact ones, of few.
import type { Calibration, Weights } from '../../retrieval/calibration.ts'
import type { QueryPart, SearchQuery } from '../../retrieval/evidence.ts'
import {
  type Evidence,
  meaningOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../retrieval/scoring.ts'
import { type MemoryColumns, NONE } from './memory-columns.ts'

/** By piece: the shares of the weight of the query's terms, and of its names, that it has, 0 to 1. */
export type Matches = { coverage: Float64Array; nameCoverage: Float64Array }

export type Asked = { query: SearchQuery; matches: Matches; hasNames: boolean }

/** By memory: of its best piece for each part of the query, averaged over the parts. */
export type Sums = { strengths: Float64Array; cosines: Float64Array }

export class Strengths {
  readonly weights: Weights
  readonly #asked: Asked
  readonly #columns: MemoryColumns
  readonly #commonness: Float32Array

  /** `commonness` is that of the rows. */
  constructor(asked: Asked, columns: MemoryColumns, commonness: Float32Array) {
    this.weights = weightsFor(asked.query.calibration, asked.query.asks)
    this.#asked = asked
    this.#columns = columns
    this.#commonness = commonness
  }

  /**
   * Adds what the memories have to say for a part of the query. `cosines` are those of their rows
   * with the part. It runs for every memory: all that it reads is at hand, and nothing is allocated
   * (the small objects of scoring.ts never come to be once the loop is compiled).
   */
  addTo(sums: Sums, part: QueryPart, cosines: Float64Array, memories: Uint32Array): void {
    const { firstUnit, nextUnit, firstRow, nextRow, isAsking } = this.#columns
    const { matches, hasNames, query } = this.#asked
    const { coverage, nameCoverage } = matches
    const { calibration, parts } = query
    const commonness = this.#commonness
    const weights = this.weights
    for (let place = 0; place < memories.length; place += 1) {
      const memory = memories[place] ?? 0
      let strength = Number.NEGATIVE_INFINITY
      let nearest = -1
      for (let unit = firstUnit[memory] ?? NONE; unit !== NONE; unit = nextUnit[unit] ?? NONE) {
        const first = firstRow[unit] ?? 0
        const cosine = cosines[first] ?? 0
        const piece = rowSimilarity(cosine, commonness[first], calibration, weights)
        let sentence = Number.NEGATIVE_INFINITY
        for (let row = nextRow[first] ?? NONE; row !== NONE; row = nextRow[row] ?? NONE) {
          const ofRow = rowSimilarity(cosines[row] ?? 0, commonness[row], calibration, weights)
          if (ofRow > sentence) sentence = ofRow
        }
        if (sentence === Number.NEGATIVE_INFINITY) sentence = piece
        const evidence = {
          meaning: meaningOf(piece, sentence, part.commonness, calibration, weights),
          coverage: coverage[unit] ?? 0,
          nameCoverage: hasNames ? (nameCoverage[unit] ?? 0) : undefined,
          isAsking: isAsking[memory] === 1,
        }
        const ofUnit = strengthOf(evidence, weights)
        if (ofUnit > strength) strength = ofUnit
        if (cosine > nearest) nearest = cosine
      }
      sums.strengths[memory] = (sums.strengths[memory] ?? 0) + strength / parts.length
      sums.cosines[memory] = (sums.cosines[memory] ?? 0) + nearest / parts.length
    }
  }

  /** The same for one piece, as evidence that can be shown. */
  evidenceOf(memory: number, unit: number, part: QueryPart, cosines: Float64Array): Evidence {
    const { matches, hasNames, query } = this.#asked
    const [first = 0, ...sentences] = this.#columns.rowsOf(unit)
    const piece = this.similarityOf(first, cosines)
    const others = sentences.map((row) => this.similarityOf(row, cosines))
    const sentence = others.length > 0 ? Math.max(...others) : piece
    return {
      meaning: meaningOf(piece, sentence, part.commonness, query.calibration, this.weights),
      coverage: matches.coverage[unit] ?? 0,
      nameCoverage: hasNames ? (matches.nameCoverage[unit] ?? 0) : undefined,
      isAsking: this.#columns.isAsking[memory] === 1,
    }
  }

  similarityOf(row: number, cosines: Float64Array): number {
    const { calibration } = this.#asked.query
    return rowSimilarity(cosines[row] ?? 0, this.#commonness[row], calibration, this.weights)
  }
}

/** The commonness is NaN where it is not known. */
function rowSimilarity(
  cosine: number,
  commonness: number | undefined,
  calibration: Calibration,
  weights: Weights,
): number {
  const isKnown = commonness !== undefined && !Number.isNaN(commonness)
  const nearness = { cosine, commonness: isKnown ? commonness : undefined }
  return similarityOf(nearness, calibration, weights)
}
