// The terms of a query as one space takes them: which forms stand for each, whether the space knows
// it as a name, and what share of the weight of all terms it has. `memoriesWith` is all that it asks
// of a space, so that every store weighs alike.
import type { QueryTerm } from './evidence.ts'
import { termWeight } from './scoring.ts'
import { isKnownAsName, mayBeName, nameMark } from './words/names.ts'
import { meantBy } from './words/typing-errors.ts'

/** A term of the query as a space takes it. `forms` stand for it; any of them will do. */
export type WeighedTerm = {
  word: string
  forms: string[]
  isName: boolean
  /** As a share of the weight of all terms. */
  share: number
}

/** `memories` is how many there are in the space, `memoriesWith` how many of them have a term. */
export function weighTerms(
  all: readonly QueryTerm[],
  memories: number,
  memoriesWith: (term: string) => number,
): WeighedTerm[] {
  const isKnownName = ({ term }: QueryTerm): boolean =>
    mayBeName(term) && isKnownAsName(memoriesWith(term), memoriesWith(nameMark(term)))
  const terms = withDayOrItsParts(
    all.filter((term) => term.isAddressed !== true || isKnownName(term)),
    ({ term, alternatives }) => [term, ...alternatives].some((form) => memoriesWith(form) > 0),
    (term) => term.isName || term.isCode || isKnownName(term),
  )
  const missing = missingTerms(terms, memoriesWith)
  // Of a thing that is asked for by its code, the code is the name, and no other word is.
  const haveCode = terms.some(({ isCode }) => isCode)
  const weighed = terms.map((term) => {
    const { alternatives } = term
    const meant = missing.has(term.term) ? meantBy(term.term, (each) => memoriesWith(each) > 0) : []
    const forms = [term.term, ...alternatives, ...meant]
    const having = Math.max(...forms.map(memoriesWith))
    const isName = haveCode ? term.isCode : term.isName || isKnownName(term)
    return { word: term.word, forms, isName, weight: termWeight(term.rarity, memories, having) }
  })
  const sum = weighed.reduce((total, { weight }) => total + weight, 0)
  return weighed.map(({ weight, ...term }) => ({ ...term, share: weight / sum }))
}

/**
 * "What is on 3 December?" asks for that day, where anything is known of it. A question about Anna is about her, and
 * memories that know no days answer in other words.
 */
function withDayOrItsParts(
  terms: readonly QueryTerm[],
  isThere: (term: QueryTerm) => boolean,
  isName: (term: QueryTerm) => boolean,
): QueryTerm[] {
  const wholes = terms.filter(({ day }) => day === 'whole')
  if (wholes.length === 0) return [...terms]
  const isNamed = terms.some((term) => term.day === undefined && isName(term))
  const left = isNamed || !wholes.some(isThere) ? 'whole' : 'part'
  return terms.flatMap((term) => {
    if (term.day === left) return []
    return term.day === 'whole' ? { ...term, isName: true } : term
  })
}

export const namesIn = (terms: readonly Pick<WeighedTerm, 'isName'>[]): number =>
  terms.filter(({ isName }) => isName).length

/** Of one query: each stands for a thousand words that it may have been meant to be. */
const CORRECTED_MAX = 16

/** What nobody wrote and no language has was perhaps meant to be something that somebody wrote. */
const missingTerms = (
  terms: readonly QueryTerm[],
  memoriesWith: (term: string) => number,
): ReadonlySet<string> =>
  new Set(
    terms
      .filter(
        ({ term, isKnown, isAddressed }) =>
          !isKnown && isAddressed !== true && memoriesWith(term) === 0,
      )
      .slice(0, CORRECTED_MAX)
      .map(({ term }) => term),
  )

/** Every term whose count `weighTerms` asks for, but for what a word that is not there was meant to be. */
export const termsToCount = (terms: readonly QueryTerm[]): string[] => [
  ...new Set(terms.flatMap(({ term, alternatives }) => [term, nameMark(term), ...alternatives])),
]

/** What the words that neither the language nor the space has may have been meant to be. */
export function candidatesForMissing(
  terms: readonly QueryTerm[],
  memoriesWith: (term: string) => number,
): string[] {
  const candidates = new Set<string>()
  for (const term of missingTerms(terms, memoriesWith)) {
    meantBy(term, (candidate) => {
      candidates.add(candidate)
      return false
    })
  }
  return [...candidates]
}
