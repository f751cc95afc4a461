// What a search was before: the score of every memory from its vectors, all of them in memory as
// 32-bit floats. Without terms, which cost the same either way.
import type { SearchQuery } from '../packages/server/src/retrieval/evidence.ts'
import {
  meaningOf,
  scoreOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../packages/server/src/retrieval/scoring.ts'
import { cosineOf } from '../packages/server/src/storage/ranking/cosine.ts'
import { type Ranked, Ranking } from '../packages/server/src/storage/ranking/ranking.ts'
import type { IndexedPiece } from '../packages/server/src/storage/sqlite/index/indexed.ts'

export function plainScan(memories: readonly IndexedPiece[][]) {
  const all = memories.flatMap((pieces) => pieces.flatMap(({ embeddings }) => embeddings))
  const dimension = all[0]?.vector.length ?? 0
  const block = new Float32Array(all.length * dimension)
  let filled = 0
  const entries = memories.map((pieces, no) => ({
    ...{ no, id: '', createdAt: no },
    pieces: pieces.map(({ embeddings }) =>
      embeddings.map(({ vector, commonness }) => {
        const row = block.subarray(filled, filled + dimension)
        filled += dimension
        row.set(vector)
        return { row, commonness }
      }),
    ),
  }))

  function search(query: SearchQuery, cut: { limit: number; threshold: number }): Ranked[] {
    const { calibration, parts, asks } = query
    const weights = weightsFor(calibration, asks)
    const ranking = new Ranking(cut.limit)
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
          const evidence = { meaning, coverage: 0, nameCoverage: undefined, isAsking: false }
          best = Math.max(best, strengthOf(evidence, weights))
        }
        strength += best / parts.length
      }
      const score = scoreOf({ strength, cosine: 0 }, weights)
      if (score >= cut.threshold) ranking.offer(score, entry)
    }
    return ranking.best()
  }

  return { search, rows: all.length, numbers: block.length }
}
