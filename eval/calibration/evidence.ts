// What the score of one memory for one query is computed from, before any weights; and that score under any
// calibration, by the product's own functions.
import type { Calibration } from '../../packages/server/src/retrieval/calibration.ts'
import {
  meaningOf,
  type Nearness,
  type QueryForm,
  scoreOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../packages/server/src/retrieval/scoring.ts'

export type { Calibration }

export type PieceEvidence = {
  own: Nearness
  sentences: Nearness[]
  coverage: number
  nameCoverage: number
}

/** For a query that is short enough to be one part. */
export type MemoryEvidence = {
  query: QueryForm & { commonness: number | undefined }
  isAsking: boolean
  pieces: PieceEvidence[]
}

export function scoreUnder(calibration: Calibration): (evidence: MemoryEvidence) => number {
  const best = bestUnder(calibration)
  return (evidence) => scoreOf(best(evidence), weightsFor(calibration, evidence.query))
}

/**
 * The greatest strength of a piece, and the greatest cosine of one, not necessarily the same, with the query.
 */
export function bestUnder(
  calibration: Calibration,
): (evidence: MemoryEvidence) => { strength: number; cosine: number } {
  return ({ query, isAsking, pieces }) => {
    const weights = weightsFor(calibration, query)
    let strength = Number.NEGATIVE_INFINITY
    let cosine = -1
    for (const { own, sentences, coverage, nameCoverage } of pieces) {
      const piece = similarityOf(own, calibration, weights)
      let sentence = sentences.length === 0 ? piece : Number.NEGATIVE_INFINITY
      for (const one of sentences) {
        sentence = Math.max(sentence, similarityOf(one, calibration, weights))
      }
      const meaning = meaningOf(piece, sentence, query.commonness, calibration, weights)
      const evidence = { meaning, coverage, nameCoverage, isAsking }
      strength = Math.max(strength, strengthOf(evidence, weights))
      cosine = Math.max(cosine, own.cosine)
    }
    return { strength, cosine }
  }
}
