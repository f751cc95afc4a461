// A code names one thing: invoice 2024-118 is not what is asked for with 2024-119, however near the texts lie. So
// when a query names a code, next to nothing makes up for a memory's not having it. One that has it is found as
// easily as before. Which words are codes is in words/codes-asked-for.ts; program-output.ts takes out some.
// decisions/2026-11-28-codes-name-one-thing.md
import type { Calibration, Weights } from './calibration.ts'
import type { QueryTerm } from './evidence.ts'
import { TAIL } from './words/numbers.ts'

/** Of what a name weighs in a question: a text with another code is found for hardly any. */
const CODE_WEIGHT = 2

type Code = Pick<QueryTerm, 'term' | 'isCode'>

/** What a query of these terms is judged by: `calibration`, unless one of them is a code. */
export function calibrationForCodes(terms: readonly Code[], calibration: Calibration): Calibration {
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

/**
 * The terms, of which none is the end of another code when there are several: INV-2024-118 would be two of three
 * beside order 48213, and PO-2024-118 as good an answer as that order.
 */
export function codesApart<Term extends Code>(terms: Term[]): Term[] {
  if (countOfCodes(terms) < 2) return terms
  return terms.map((term) => (isEnd(term, terms) ? { ...term, isCode: false } : term))
}

const countOfCodes = (terms: readonly Code[]): number =>
  terms.filter((term) => term.isCode && !isEnd(term, terms)).length

/** The number in INV-2024-118 is a code as well, and no second one. Issue 4812 is another than 14812. */
function isEnd(code: Code, terms: readonly Code[]): boolean {
  const { term: end } = code
  const endsWithIt = ({ term, isCode }: Code): boolean =>
    isCode &&
    term !== end &&
    term.endsWith(end) &&
    (end.length >= TAIL || !/\d$/.test(term.slice(0, -end.length)))
  return code.isCode && terms.some(endsWithIt)
}
