// How near each memory of a space means what the query means, as `scoring.ts` defines it, from the cosines
// of codes. What is linear in scoring.ts is asked of it once: the results are its own but for the rounding
// of sums. Most queries are one part and most memories one row, for which a plain loop does.
import type { Calibration, Weights } from '../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../retrieval/evidence.ts'
import { meaningOf, similarityOf } from '../../../retrieval/scoring.ts'
import { type MemoryRows, NONE, PIECE } from './memory-rows.ts'
import type { Workspace } from './workspace.ts'

/** A part of the query with the cosines of the rows, by row. */
type ComparedPart = { part: QueryPart; cosines: Float64Array }

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
  commonness: number | undefined
  /** What every meaning has besides. */
  constant: number
}

/** By memory, and only for those that were asked for. */
export type Measured = {
  /** Of its best piece for each part, averaged. */
  meanings: Float64Array
  /** Its greatest cosine with each part, averaged. */
  nearest: Float64Array
}

export class Meanings {
  readonly #rows: MemoryRows
  readonly #calibration: Calibration
  readonly #weights: Weights
  readonly #parts: readonly Compared[]
  readonly #similar: Linear

  constructor(
    rows: MemoryRows,
    parts: readonly ComparedPart[],
    { calibration, weights }: { calibration: Calibration; weights: Weights },
  ) {
    this.#similar = linearSimilarity(calibration, weights)
    this.#rows = rows
    this.#calibration = calibration
    this.#weights = weights
    this.#parts = parts.map(({ part: { commonness }, cosines }) => ({
      cosines,
      commonness,
      constant: meaningOf(0, 0, commonness, calibration, weights),
    }))
  }

  /** `rows` are those of the memories. What it returns holds until the next search. */
  of(memories: Uint32Array, rows: Uint32Array, workspace: Workspace): Measured {
    const meanings = workspace.meanings(this.#rows.end)
    const [only] = this.#parts
    if (this.#parts.length === 1 && only !== undefined && rows === memories) {
      this.#measureRows(rows, only, meanings)
      return { meanings, nearest: only.cosines }
    }
    const measured = { meanings, nearest: workspace.nearest(this.#rows.end) }
    for (let place = 0; place < memories.length; place += 1) {
      this.#measure(memories[place] ?? 0, measured)
    }
    return measured
  }

  #measureRows(rows: Uint32Array, { cosines, constant }: Compared, meanings: Float64Array): void {
    const { commonness } = this.#rows
    const { ofCosine, ofCommonness } = this.#similar
    const base = this.#similar.base + constant
    const unknown = this.#similar.unknown + constant
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place] ?? 0
      const common = commonness[row] ?? Number.NaN
      const rest = Number.isNaN(common) ? unknown : base + ofCommonness * common
      meanings[row] = rest + ofCosine * (cosines[row] ?? 0)
    }
  }

  #measure(memory: number, { meanings, nearest }: Measured): void {
    const isOneRow = this.#rows.hasOne(memory)
    let meaning = 0
    let cosine = 0
    for (const part of this.#parts) {
      if (isOneRow) {
        meaning += this.#similarity(part.cosines, memory) + part.constant
        cosine += part.cosines[memory] ?? 0
      } else {
        meaning += this.#bestPiece(part, memory)
        cosine += this.#nearestRow(part, memory)
      }
    }
    meanings[memory] = meaning / this.#parts.length
    nearest[memory] = cosine / this.#parts.length
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

  #nearestRow({ cosines }: Compared, memory: number): number {
    const { next } = this.#rows
    let nearest = Number.NEGATIVE_INFINITY
    for (let row = memory; row !== NONE; row = next[row] ?? NONE) {
      nearest = Math.max(nearest, cosines[row] ?? 0)
    }
    return nearest
  }
}
