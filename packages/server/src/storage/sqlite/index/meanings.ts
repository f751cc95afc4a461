// How near a memory means what the query means, as `scoring.ts` defines it, from the cosines of codes. It
// is asked for every memory of a space, so what is linear in scoring.ts is asked of it once: the results
// are its own but for the rounding of sums, and most memories are one row.
import type { Calibration, Weights } from '../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../retrieval/evidence.ts'
import { meaningOf, similarityOf } from '../../../retrieval/scoring.ts'
import { type MemoryRows, NONE, PIECE } from './memory-rows.ts'

/** A part of the query with the cosines of the rows, by row. */
export type ComparedPart = { part: QueryPart; cosines: Float64Array }

type Compared = {
  cosines: Float64Array
  commonness: number | undefined
  /** What every meaning has besides. */
  constant: number
}

export class Meanings {
  /** Of the memory that was asked for last: its greatest cosine, averaged over the parts. */
  nearest = 0
  readonly #rows: MemoryRows
  readonly #calibration: Calibration
  readonly #weights: Weights
  readonly #parts: readonly Compared[]
  readonly #share: number
  /** Nearly all queries are one part. */
  readonly #only: Compared | undefined
  // A similarity is linear in the cosine, and in the commonness where it is known.
  readonly #base: number
  readonly #unknown: number
  readonly #ofCosine: number
  readonly #ofCommonness: number

  constructor(
    rows: MemoryRows,
    parts: readonly ComparedPart[],
    { calibration, weights }: { calibration: Calibration; weights: Weights },
  ) {
    const at = (cosine: number, commonness: number | undefined): number =>
      similarityOf({ cosine, commonness }, calibration, weights)
    this.#base = at(0, 0)
    this.#unknown = at(0, undefined)
    this.#ofCosine = at(1, 0) - this.#base
    this.#ofCommonness = at(0, 1) - this.#base
    this.#rows = rows
    this.#calibration = calibration
    this.#weights = weights
    this.#share = 1 / parts.length
    this.#parts = parts.map(({ part: { commonness }, cosines }) => ({
      cosines,
      commonness,
      constant: meaningOf(0, 0, commonness, calibration, weights),
    }))
    this.#only = this.#parts.length === 1 ? this.#parts[0] : undefined
  }

  /** Of its best piece for each part, averaged. */
  of(memory: number): number {
    const isOneRow = this.#rows.hasOne(memory)
    const only = this.#only
    if (isOneRow && only !== undefined) {
      this.nearest = only.cosines[memory] ?? 0
      return this.#similarity(only.cosines, memory) + only.constant
    }
    let meaning = 0
    let nearest = 0
    for (const part of this.#parts) {
      if (isOneRow) {
        meaning += this.#similarity(part.cosines, memory) + part.constant
        nearest += part.cosines[memory] ?? 0
      } else {
        meaning += this.#bestPiece(part, memory)
        nearest += this.#nearestRow(part, memory)
      }
    }
    this.nearest = nearest * this.#share
    return meaning * this.#share
  }

  #similarity(cosines: Float64Array, row: number): number {
    const common = this.#rows.commonness[row] ?? Number.NaN
    const rest = Number.isNaN(common) ? this.#unknown : this.#base + this.#ofCommonness * common
    return rest + this.#ofCosine * (cosines[row] ?? 0)
  }

  #bestPiece({ cosines, commonness }: Compared, memory: number): number {
    const { next, marks } = this.#rows
    let meaning = Number.NEGATIVE_INFINITY
    let row = memory
    while (row !== NONE) {
      const piece = this.#similarity(cosines, row)
      let sentence = Number.NEGATIVE_INFINITY
      row = next[row] ?? NONE
      while (row !== NONE && ((marks[row] ?? 0) & PIECE) === 0) {
        sentence = Math.max(sentence, this.#similarity(cosines, row))
        row = next[row] ?? NONE
      }
      if (sentence === Number.NEGATIVE_INFINITY) sentence = piece
      const own = meaningOf(piece, sentence, commonness, this.#calibration, this.#weights)
      meaning = Math.max(meaning, own)
    }
    return meaning
  }

  #nearestRow({ cosines }: Compared, memory: number): number {
    const { next } = this.#rows
    let nearest = Number.NEGATIVE_INFINITY
    for (let row = memory; row !== NONE; row = next[row] ?? NONE) {
      nearest = Math.max(nearest, cosines[row] ?? 0)
    }
    return nearest
  }
}
