// From the text of a query to everything that a search compares, and what it is judged by: the words tell
// whether the model reads them and whether they are a code. A long text has thousands, so this runs where
// searches do and never on the thread that answers.
import { isAsking } from './asking.ts'
import type { Calibration } from './calibration.ts'
import { calibrationForCodes } from './codes.ts'
import type { ExpectedQuery, ExpectedQuestion, QueryPart, SearchQuery } from './evidence.ts'
import { identityOf } from './identity.ts'
import { isKnownTo, type Rarity } from './rarity.ts'
import { calibrationForScript } from './scripts.ts'
import { termsOfQuery } from './terms.ts'

/** All that a query says without its vectors. */
export function expectedQueryOf(
  { text, calibration }: ExpectedQuestion,
  rarity: Rarity,
): ExpectedQuery {
  const terms = termsOfQuery(text).map((term) => ({
    ...term,
    rarity: rarity(term.term),
    isKnown: isKnownTo(rarity, term.term),
  }))
  return {
    terms,
    asks: isAsking(text),
    identity: identityOf(text),
    calibration: calibrationForCodes(terms, calibrationForScript(text, calibration)),
  }
}

export const searchQueryOf = (
  text: string,
  parts: QueryPart[],
  rarity: Rarity,
  calibration: Calibration,
): SearchQuery => ({ parts, ...expectedQueryOf({ text, calibration }, rarity) })
