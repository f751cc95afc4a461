// From the text of a query to everything that a search compares, and what it is judged by: its words tell
// whether the model reads them, and whether one is a code. A long text has thousands of them, so this runs where
// searches do, which with the embedded store is not the thread that answers.
import { isAsking } from './asking.ts'
import type { Calibration } from './calibration.ts'
import { calibrationForCodes, codesApart } from './codes.ts'
import type {
  ExpectedQuery,
  ExpectedQuestion,
  QueryPart,
  Question,
  SearchQuery,
} from './evidence.ts'
import { identityOf } from './identity.ts'
import { withoutCodesOfOutput } from './program-output.ts'
import { termsOfQuery } from './query-terms.ts'
import { isKnownTo, type Rarity } from './rarity.ts'
import { readRequest } from './request.ts'
import { calibrationForScript, calibrationForUnread } from './scripts.ts'

/** All that a query says without its vectors. */
export function expectedQueryOf(
  { text, calibration }: ExpectedQuestion,
  rarity: Rarity,
): ExpectedQuery {
  const asks = isAsking(text) || readRequest(text).isRequest
  const terms = codesApart(withoutCodesOfOutput(termsOfQuery(text), text))
    .filter(({ day }) => asks || day !== 'whole')
    .map((term) => ({
      ...term,
      rarity: rarity(term.term),
      isKnown: isKnownTo(rarity, term.term),
    }))
  return {
    terms,
    asks,
    identity: identityOf(text),
    calibration:
      terms.length === 0
        ? calibrationForUnread(calibration)
        : calibrationForCodes(terms, calibrationForScript(text, calibration)),
  }
}

/** The same with its vectors. */
export const queryWithParts = (
  expected: ExpectedQuery,
  { parts, calibration }: Pick<Question, 'parts' | 'calibration'>,
): SearchQuery => ({
  ...expected,
  parts,
  calibration: isUnread(parts) ? calibrationForUnread(calibration) : expected.calibration,
})

const isUnread = (parts: readonly QueryPart[]): boolean =>
  parts.length > 0 && parts.every((part) => part.isUnread === true)

export const searchQueryOf = (
  text: string,
  parts: QueryPart[],
  rarity: Rarity,
  calibration: Calibration,
): SearchQuery =>
  queryWithParts(expectedQueryOf({ text, calibration }, rarity), { parts, calibration })
