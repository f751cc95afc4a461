// From the text of a query to everything that a search compares.
import { isAsking } from './asking.ts'
import type { Calibration } from './calibration.ts'
import type { QueryPart, Question, SearchQuery } from './evidence.ts'
import { identityOf } from './identity.ts'
import { isKnownTo, type Rarity, rarityInEnglish } from './rarity.ts'
import { termsOfQuery } from './terms.ts'

export const searchQueryOf = (
  text: string,
  parts: QueryPart[],
  rarity: Rarity,
  calibration: Calibration,
): SearchQuery => ({
  parts,
  terms: termsOfQuery(text).map((term) => ({
    ...term,
    rarity: rarity(term.term),
    isKnown: isKnownTo(rarity, term.term),
  })),
  asks: isAsking(text),
  identity: identityOf(text),
  calibration,
})

/** Takes the words of questions; a query that has its words stays as it is. */
export function questionReader(): (asked: Question | SearchQuery) => SearchQuery {
  const rarity = rarityInEnglish()
  return (asked) =>
    'text' in asked ? searchQueryOf(asked.text, asked.parts, rarity, asked.calibration) : asked
}
