// A search without an index, to compare with: every memory scored from its vectors, kept in memory as 32-bit
// floats. Without terms, which cost the same either way.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import {
  meaningOf,
  scoreOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../packages/server/src/retrieval/scoring.ts'
import { cosineOf } from '../../packages/server/src/storage/ranking/cosine.ts'
import { type Ranked, Ranking } from '../../packages/server/src/storage/ranking/ranking.ts'
import { memoryAt } from '../data/memories.ts'
import type { Sample } from '../data/sample.ts'

const CUT = { limit: 10, threshold: 0.5 }

/** Searches the first `size` memories of the benchmark, without a filter. */
export function plainScanOf(sample: Sample, size: number): (query: SearchQuery) => Ranked[] {
  const entries = Array.from({ length: size }, (_, no) => ({
    no,
    createdAt: no,
    pieces: memoryAt(sample, no, size, 'plain').pieces.map((piece) =>
      [piece, ...piece.sentences].map(({ vector, commonness }) => ({ row: vector, commonness })),
    ),
  }))

  return (query) => {
    const { calibration, parts, asks } = query
    const weights = weightsFor(calibration, { asks, hasNames: false })
    const ranking = new Ranking<(typeof entries)[number]>(CUT.limit, () => '')
    for (const entry of entries) {
      let strength = 0
      for (const part of parts) {
        let best = Number.NEGATIVE_INFINITY
        for (const rows of entry.pieces) {
          let piece = Number.NEGATIVE_INFINITY
          let sentence = Number.NEGATIVE_INFINITY
          for (const { row, commonness } of rows) {
            const nearness = { cosine: cosineOf(row, part.vector), commonness }
            const similarity = similarityOf(nearness, calibration, weights)
            if (piece === Number.NEGATIVE_INFINITY) piece = similarity
            else sentence = Math.max(sentence, similarity)
          }
          if (sentence === Number.NEGATIVE_INFINITY) sentence = piece
          const meaning = meaningOf(piece, sentence, part.commonness, calibration, weights)
          const evidence = { meaning, coverage: 0, nameCoverage: 0, isAsking: false }
          best = Math.max(best, strengthOf(evidence, weights))
        }
        strength += best / parts.length
      }
      const score = scoreOf({ strength, cosine: 0 }, weights)
      if (score >= CUT.threshold) ranking.offer(score, entry)
    }
    return ranking.best()
  }
}
