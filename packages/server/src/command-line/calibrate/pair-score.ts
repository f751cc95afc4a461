// The score that a search would give the first text of a pair for the second, if it were the only
// memory of a space.
import { isQuestionOnly } from '../../retrieval/asking.ts'
import type { Calibration } from '../../retrieval/calibration.ts'
import type { Passage, Piece, QueryPart } from '../../retrieval/evidence.ts'
import type { Rarity } from '../../retrieval/rarity.ts'
import {
  meaningOf,
  scoreOf,
  similarityOf,
  strengthOf,
  weightsFor,
} from '../../retrieval/scoring.ts'
import { searchQueryOf } from '../../retrieval/search-query.ts'
import { termsOfPieces } from '../../retrieval/terms.ts'
import { wordEvidenceOf } from './pair-evidence.ts'
import { dot, type EmbeddedPair, nearestOf } from './pair-vectors.ts'

export function pairScore(pair: EmbeddedPair, of: Calibration, rarity: Rarity): number {
  if (pair.a === pair.b) return 1
  const asked = searchQueryOf(pair.b, pair.query, rarity, of)
  const { parts, terms, asks, calibration } = asked
  const { hasNames, ofPieces } = wordEvidenceOf(
    terms,
    termsOfPieces(pair.a, pair.memory).map((ofPiece) => new Set(ofPiece)),
  )
  const weights = weightsFor(calibration, { asks, hasNames })
  const isAsking = isQuestionOnly(pair.a)

  function meaning({ sentences, ...own }: Piece, part: QueryPart): number {
    const [piece = 0, ...others] = [own, ...sentences].map(({ vector, commonness }: Passage) =>
      similarityOf({ cosine: dot(vector, part.vector), commonness }, calibration, weights),
    )
    const best = others.length === 0 ? piece : Math.max(...others)
    return meaningOf(piece, best, part.commonness, calibration, weights)
  }

  const strengths = parts.map((part) =>
    Math.max(
      ...pair.memory.map((piece, place) => {
        const { coverage, nameCoverage } = ofPieces[place] ?? { coverage: 0, nameCoverage: 0 }
        const evidence = { meaning: meaning(piece, part), coverage, nameCoverage, isAsking }
        return strengthOf(evidence, weights)
      }),
    ),
  )
  const strength = strengths.reduce((sum, one) => sum + one, 0) / strengths.length
  const cosine = parts.reduce((sum, part) => sum + sameness(pair.memory, part), 0) / parts.length
  return scoreOf({ strength, cosine }, weights)
}

/** What the model knows in part may be another text, however near the vectors are. */
const sameness = (memory: readonly Piece[], part: QueryPart): number =>
  part.hasUnknown === true ? 0 : nearestOf(memory, part)
