// A code names one thing: invoice 2024-118 is not what is asked for with 2024-119, however near the texts lie. So
// when a query names a code, next to nothing makes up for a memory's not having it. One that has it is found as
// easily as before. Which words are codes is in terms.ts and words/code-shapes.ts; program-output.ts takes out some.
// decisions/2026-11-28-codes-name-one-thing.md
import type { Calibration, Weights } from './calibration.ts'
import type { QueryTerm } from './evidence.ts'

/** Of what a name weighs in a question: a text with another code is found for hardly any. */
const CODE_WEIGHT = 2

/** What a query of these terms is judged by: `calibration`, unless one of them is a code. */
export function calibrationForCodes(
  terms: readonly Pick<QueryTerm, 'term' | 'isCode'>[],
  calibration: Calibration,
): Calibration {
  const codes = countOfCodes(terms)
  if (codes === 0) return calibration
  const extra = CODE_WEIGHT * calibration.asking.names
  const raised = (weights: Weights): Weights => ({
    ...weights,
    // So that one of several is as good as the only one.
    names: codes * (weights.names + extra),
    border: weights.border + extra,
  })
  const { asking, nameless, stating } = calibration
  return {
    ...calibration,
    asking: raised(asking),
    nameless: raised(nameless),
    stating: raised(stating),
  }
}

/** The number in INV-2024-118 is a code as well, and no second one. */
function countOfCodes(terms: readonly Pick<QueryTerm, 'term' | 'isCode'>[]): number {
  const codes = terms.flatMap(({ term, isCode }) => (isCode ? [term] : []))
  const isEnd = (code: string): boolean =>
    codes.some((other) => other !== code && other.endsWith(code))
  return codes.filter((code) => !isEnd(code)).length
}
