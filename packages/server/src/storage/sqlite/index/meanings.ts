// How near memories mean what a part of the query means, as `scoring.ts` defines it, from the cosines
// of their rows: those of codes, of all memories that may be among the best.
import type { Calibration, Weights } from '../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../retrieval/evidence.ts'
import { meaningOf, similarityOf } from '../../../retrieval/scoring.ts'
import { type MemoryRows, NONE, PIECE } from './memory-rows.ts'

/** By place among the memories: of the best piece for each part of the query, averaged. */
export type Sums = { meanings: Float64Array; cosines: Float64Array }

export type Scale = { calibration: Calibration; weights: Weights; parts: number }

/**
 * Adds to the sums what the memories have to say for a part of the query. It runs for every memory, so
 * what is linear in scoring.ts is asked of it once: the results are its own but for the rounding of
 * sums, and most memories are one row.
 */
export function addMeanings(
  sums: Sums,
  { rows, memories, cosines }: { rows: MemoryRows; memories: Uint32Array; cosines: Float64Array },
  part: QueryPart,
  { calibration, weights, parts }: Scale,
): void {
  const { next, marks, commonness } = rows
  const { meanings, cosines: greatest } = sums
  const { base, unknown, ofCosine, ofCommonness } = linear(calibration, weights)
  const similarity = (row: number): number => {
    const common = commonness[row] ?? Number.NaN
    const rest = !Number.isNaN(common) ? base + ofCommonness * common : unknown
    return rest + ofCosine * (cosines[row] ?? 0)
  }
  const constant = meaningOf(0, 0, part.commonness, calibration, weights)
  for (let place = 0; place < memories.length; place += 1) {
    let row = memories[place] ?? NONE
    let meaning = similarity(row) + constant
    let nearest = cosines[row] ?? 0
    if ((next[row] ?? NONE) !== NONE) {
      meaning = Number.NEGATIVE_INFINITY
      while (row !== NONE) {
        const piece = similarity(row)
        const cosine = cosines[row] ?? 0
        if (cosine > nearest) nearest = cosine
        let sentence = Number.NEGATIVE_INFINITY
        row = next[row] ?? NONE
        while (row !== NONE && ((marks[row] ?? 0) & PIECE) === 0) {
          const own = similarity(row)
          if (own > sentence) sentence = own
          row = next[row] ?? NONE
        }
        if (sentence === Number.NEGATIVE_INFINITY) sentence = piece
        const ofPiece = meaningOf(piece, sentence, part.commonness, calibration, weights)
        if (ofPiece > meaning) meaning = ofPiece
      }
    }
    meanings[place] = (meanings[place] ?? 0) + meaning / parts
    greatest[place] = (greatest[place] ?? 0) + nearest / parts
  }
}

/** `similarityOf` is linear in the cosine, and in the commonness where it is known. */
function linear(calibration: Calibration, weights: Weights) {
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
