// From the text of a query to everything that a search compares.
import { isAsking } from './asking.ts'
import type { Calibration } from './calibration.ts'
import type { QueryPart, SearchQuery } from './evidence.ts'
import { identityOf } from './identity.ts'
import { isKnownTo, type Rarity } from './rarity.ts'
import { termsOfQuery } from './terms.ts'

/** What a query says without its vectors. */
export type QueryWords = Pick<SearchQuery, 'terms' | 'asks' | 'identity'>

export const wordsOfQuery = (text: string, rarity: Rarity): QueryWords => ({
  terms: termsOfQuery(text).map((term) => ({
    ...term,
    rarity: rarity(term.term),
    isKnown: isKnownTo(rarity, term.term),
  })),
  asks: isAsking(text),
  identity: identityOf(text),
})

export const searchQueryOf = (
  text: string,
  parts: QueryPart[],
  rarity: Rarity,
  calibration: Calibration,
): SearchQuery => ({ parts, calibration, ...wordsOfQuery(text, rarity) })
