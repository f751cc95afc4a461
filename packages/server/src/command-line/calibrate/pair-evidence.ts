// Which terms of a query a memory has, piece by piece, if it were the only memory of a space.
import type { QueryTerm } from '../../retrieval/evidence.ts'
import { isKnownAsName, nameMark } from '../../retrieval/names.ts'
import { type Evidence, termWeight } from '../../retrieval/scoring.ts'
import { meantBy } from '../../retrieval/typing-errors.ts'

export type WordEvidence = Pick<Evidence, 'coverage' | 'nameCoverage'>

const MEMORIES = 1

/** For each piece, whose terms are given. */
export function wordEvidenceOf(
  terms: readonly QueryTerm[],
  pieces: readonly ReadonlySet<string>[],
): WordEvidence[] {
  const isThere = (term: string): boolean => pieces.some((piece) => piece.has(term))
  const weighed = terms.map(({ term, alternatives, isName, isKnown, rarity }) => {
    const isMistyped = !isKnown && !isThere(term)
    const forms = [term, ...alternatives, ...(isMistyped ? meantBy(term, isThere) : [])]
    const having = forms.some(isThere) ? 1 : 0
    return {
      forms,
      isName: isName || isKnownAsName(Number(isThere(term)), Number(isThere(nameMark(term)))),
      weight: termWeight(rarity, MEMORIES, having),
    }
  })
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const names = weighed.filter(({ isName }) => isName).length
  return pieces.map((piece) => {
    const matched = weighed.filter(({ forms }) => forms.some((form) => piece.has(form)))
    return {
      coverage: whole === 0 ? 0 : matched.reduce((sum, { weight }) => sum + weight, 0) / whole,
      nameCoverage: names === 0 ? undefined : matched.filter(({ isName }) => isName).length / names,
    }
  })
}
