// Proper names, by how people write them: with a capital inside a sentence, or as the label of who
// is speaking. A memory keeps its names as marked terms beside the plain ones, so that a query in
// lower case still asks about a name when the space knows the word as one.
import { foldText } from '../fold.ts'
import { isMeaningful, withoutMeaningful } from './meaningful-names.ts'
import { stemOf } from './stemming.ts'
import { STOP_WORDS } from './stop-words.ts'

// A capital may be one of the kind of Dž or ᾍ, and its marks may stand apart from it, as in names of files.
// After a colon begins a sentence, so a capital there says nothing; after the full stop of a title none does.
// The capital is looked for first: what is before it would else be looked for at each place of a long run of
// white space, all the way back.
const INSIDE_A_SENTENCE =
  /(?=[\p{Lu}\p{Lt}])(?<=(?:[\p{L}\p{M}\p{N},;)'’"”]|\b(?:Mrs?|Ms|Dr|Prof|St)\.)\s+["'(“‘]?)[\p{Lu}\p{Lt}]\p{M}*\p{L}[\p{L}\p{M}]*/gu
const SPEAKER_LABEL =
  /^[\p{Lu}\p{Lt}][\p{L}\p{M}'’-]*(?: [\p{Lu}\p{Lt}][\p{L}\p{M}'’.-]*){0,3}(?=:\s)/u
/** It is embedded in front of each sentence: no text may multiply itself by calling its beginning a name. */
const LABEL_LENGTH_MAX = 60
const SMALL_WORDS_OF_TITLES: ReadonlySet<string> = new Set(
  'a an and as at but by for from in of on or the to with'.split(' '),
)
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * The capitalised words inside sentences, but for those that mean something. A text in title case or in capitals
 * tells nothing.
 */
export function namesInSentences(text: string): string[] {
  const inside = [...withoutMeaningful(text).matchAll(INSIDE_A_SENTENCE)]
  if (inside.length === 0) return []
  const words = text.match(WORD) ?? []
  if (words.length >= 3 && words.every(isWrittenInTitles)) return []
  return inside.flatMap(({ 0: word, index: at }) => {
    const folded = foldText(word)
    return STOP_WORDS.has(folded) || isMeaningful({ word, folded, at }, text) ? [] : [word]
  })
}

const isWrittenInTitles = (word: string): boolean =>
  /^[\p{Lu}\p{Lt}\p{N}]/u.test(word) || SMALL_WORDS_OF_TITLES.has(word)

/** `Anna Berg: …` gives Anna and Berg. */
export const namesInLabel = (text: string): string[] => labelOf(text)?.match(WORD) ?? []

/** `Anna Berg`: who is speaking, said at the beginning of a text. */
export const labelOf = (text: string): string | undefined =>
  SPEAKER_LABEL.exec(text.slice(0, LABEL_LENGTH_MAX + ': '.length))?.[0]

/** Under which a memory keeps a term that it writes as a name. No word contains this sign. */
export const nameMark = (term: string): string => `^${term}`

/** Of the memories that have a term, at least half write it as a name. */
export const isKnownAsName = (memoriesWithTerm: number, memoriesWithMark: number): boolean =>
  memoriesWithMark > 0 && memoriesWithMark >= memoriesWithTerm / 2

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf))
const TITLES = stemsOf(
  'mr mrs ms miss mx dr doctor prof professor sir madam herr frau monsieur madame senor senora',
)
const OK = stemsOf('ok okay')

/** Of a query: the Mr. of "Mr. Lee" tells nobody apart, and many memories leave it out. */
export const mayBeName = (term: string): boolean => !TITLES.has(term) && !OK.has(term)

/** Of the names that a query writes. A title without another name is one: MS, the DR site, Doctor Who. */
export const namesAskedFor = (terms: readonly string[]): string[] =>
  terms.some(mayBeName) ? terms.filter(mayBeName) : terms.filter((term) => !OK.has(term))
