// Which terms of a query a memory has, piece by piece, weighed as in a space with no other memory.
import type { QueryTerm } from '../../retrieval/evidence.ts'
import type { Evidence } from '../../retrieval/scoring.ts'
import { namesIn, weighTerms } from '../../retrieval/weighing.ts'

type WordEvidence = Pick<Evidence, 'coverage' | 'nameCoverage'>

const MEMORIES = 1

/** For each piece, whose terms are given. */
export function wordEvidenceOf(
  terms: readonly QueryTerm[],
  pieces: readonly ReadonlySet<string>[],
): { hasNames: boolean; ofPieces: WordEvidence[] } {
  const memoriesWith = (term: string): number => Number(pieces.some((piece) => piece.has(term)))
  const weighed = weighTerms(terms, MEMORIES, memoriesWith)
  const names = namesIn(weighed)
  const ofPieces = pieces.map((piece) => {
    const matched = weighed.filter(({ forms }) => forms.some((form) => piece.has(form)))
    return {
      coverage: matched.reduce((sum, { share }) => sum + share, 0),
      nameCoverage: names === 0 ? 0 : namesIn(matched) / names,
    }
  })
  return { hasNames: names > 0, ofPieces }
}
