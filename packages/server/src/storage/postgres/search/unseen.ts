// How strong a memory that was not read can be at most. None of its rows lies nearer than the furthest of the
// nearest rows that were read. Of the query's terms it has no more than the last of the memories that were read
// for their terms, besides terms that were too common to be looked up. When that is too weak for what was asked,
// few results are all there are, and nothing more has to be read.
import type { Weights } from '../../../retrieval/calibration.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { meaningOf, similarityOf, strengthOf } from '../../../retrieval/scoring.ts'

type Seen = {
  /** By part of the query: the cosine of the furthest row that was read. */
  furthest: number[]
  /** The greatest share of the terms' weight that others can have. */
  coverage: number
  /** Whether others can have a name of the query. */
  canHaveNames: boolean
  /** Of the memories that were read, as a guess at that of the others. */
  commonnessMin: number | undefined
}

export function strengthOfUnseen(
  { parts, calibration }: SearchQuery,
  weights: Weights,
  { furthest, coverage, canHaveNames, commonnessMin }: Seen,
): number {
  const strengths = parts.map(({ commonness }, place) => {
    const cosine = furthest[place] ?? -1
    const similarity = similarityOf({ cosine, commonness: commonnessMin }, calibration, weights)
    const evidence = {
      meaning: meaningOf(similarity, similarity, commonness, calibration, weights),
      coverage,
      nameCoverage: Number(canHaveNames),
      isAsking: false,
    }
    return strengthOf(evidence, weights)
  })
  return strengths.reduce((sum, strength) => sum + strength, 0) / strengths.length
}
