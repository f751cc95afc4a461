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
 * Adds to the sums what the memories have to say for a part of the query. It runs for every memory:
 * all that it reads is at hand, and nothing is allocated (the small objects of scoring.ts never come
 * to be once the loop is compiled).
 */
export function addMeanings(
  sums: Sums,
  { rows, memories, cosines }: { rows: MemoryRows; memories: Uint32Array; cosines: Float64Array },
  part: QueryPart,
  { calibration, weights, parts }: Scale,
): void {
  const { next, marks, commonness } = rows
  const similarity = (row: number): number => {
    const common = commonness[row] ?? Number.NaN
    const nearness = {
      cosine: cosines[row] ?? 0,
      commonness: Number.isNaN(common) ? undefined : common,
    }
    return similarityOf(nearness, calibration, weights)
  }
  for (let place = 0; place < memories.length; place += 1) {
    let meaning = Number.NEGATIVE_INFINITY
    let nearest = -1
    let row = memories[place] ?? NONE
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
    sums.meanings[place] = (sums.meanings[place] ?? 0) + meaning / parts
    sums.cosines[place] = (sums.cosines[place] ?? 0) + nearest / parts
  }
}
