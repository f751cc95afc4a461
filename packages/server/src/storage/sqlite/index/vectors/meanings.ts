// How near each memory of a space means what the query means, as `scoring.ts` defines it, from the cosines
// of codes. Where scoring.ts is linear its factors are asked for once, and the results differ from its own by the
// rounding of sums alone. Most queries are one part and most memories one row, for which a plain loop does.
import type { Calibration, Weights } from '../../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../../retrieval/evidence.ts'
import { meaningOf, similarityOf } from '../../../../retrieval/scoring.ts'
import { type MemoryRows, NONE, PIECE } from '../packed/memory-rows.ts'

/** A part of the query with the cosines of the rows, by row. */
type ComparedPart = { part: QueryPart; cosines: Float64Array; isFirst: boolean }

/** A similarity as `similarityOf` defines it: linear in the cosine, and in the commonness where it is known. */
export type Linear = {
  base: number
  /** In place of `base` where the commonness is not known. */
  unknown: number
  ofCosine: number
  ofCommonness: number
}

export function linearSimilarity(calibration: Calibration, weights: Weights): Linear {
  const at = (cosine: number, commonness: number | undefined): number =>
    similarityOf({ cosine, commonness }, calibration, weights)
  const base = at(0, 0)
  return {
    base,
    unknown: at(0, undefined),
    ofCosine: at(1, 0) - base,
    ofCommonness: at(0, 1) - base,
  }
}

type Compared = {
  cosines: Float64Array
  isFirst: boolean
  commonness: number | undefined
  /** What every meaning has besides. */
  constant: number
}

/** By the place of each memory among those that are measured. */
export type Measured = {
  /** Of its best piece for each part, averaged. */
  meanings: Float64Array
  /** Its greatest cosine with each part, averaged. */
  nearest: Float64Array
}

/** Memories, their rows, and room for what is measured. */
type Sums = Measured & { memories: Uint32Array; rows: Uint32Array }

export class Meanings {
  readonly #rows: MemoryRows
  readonly #calibration: Calibration
  readonly #weights: Weights
  readonly #similar: Linear

  constructor(
    rows: MemoryRows,
    { calibration, weights }: { calibration: Calibration; weights: Weights },
  ) {
    this.#similar = linearSimilarity(calibration, weights)
    this.#rows = rows
    this.#calibration = calibration
    this.#weights = weights
  }

  /** Of one part of the query, so that the cosines of no more than one are kept at a time. */
  add({ part: { commonness }, cosines, isFirst }: ComparedPart, sums: Sums): void {
    const constant = meaningOf(0, 0, commonness, this.#calibration, this.#weights)
    const compared = { cosines, isFirst, commonness, constant }
    if (sums.rows === sums.memories) this.#addRows(compared, sums)
    else this.#addMemories(compared, sums)
  }

  #addRows({ cosines, isFirst, constant }: Compared, { rows, meanings, nearest }: Sums): void {
    const { commonness } = this.#rows
    const { ofCosine, ofCommonness } = this.#similar
    const base = this.#similar.base + constant
    const unknown = this.#similar.unknown + constant
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place] ?? 0
      const cosine = cosines[row] ?? 0
      const common = commonness[row] ?? Number.NaN
      const rest = Number.isNaN(common) ? unknown : base + ofCommonness * common
      const meaning = rest + ofCosine * cosine
      meanings[place] = isFirst ? meaning : (meanings[place] ?? 0) + meaning
      nearest[place] = isFirst ? cosine : (nearest[place] ?? 0) + cosine
    }
  }

  #addMemories(compared: Compared, { memories, meanings, nearest }: Sums): void {
    const { cosines, isFirst, constant } = compared
    for (let place = 0; place < memories.length; place += 1) {
      const memory = memories[place] ?? 0
      const isOneRow = this.#rows.hasOne(memory)
      const meaning = isOneRow
        ? this.#similarity(cosines, memory) + constant
        : this.#bestPiece(compared, memory)
      const cosine = isOneRow ? (cosines[memory] ?? 0) : this.#nearestRow(cosines, memory)
      meanings[place] = isFirst ? meaning : (meanings[place] ?? 0) + meaning
      nearest[place] = isFirst ? cosine : (nearest[place] ?? 0) + cosine
    }
  }

  #similarity(cosines: Float64Array, row: number): number {
    const { base, unknown, ofCosine, ofCommonness } = this.#similar
    const common = this.#rows.commonness[row] ?? Number.NaN
    const rest = Number.isNaN(common) ? unknown : base + ofCommonness * common
    return rest + ofCosine * (cosines[row] ?? 0)
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

  #nearestRow(cosines: Float64Array, memory: number): number {
    const { next } = this.#rows
    let nearest = Number.NEGATIVE_INFINITY
    for (let row = memory; row !== NONE; row = next[row] ?? NONE) {
      nearest = Math.max(nearest, cosines[row] ?? 0)
    }
    return nearest
  }
}
