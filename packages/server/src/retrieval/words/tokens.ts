// The words of a folded text, as the search compares them: stemmed, in every spelling, codes both in parts and joined.
// A query and a memory go through the same functions, so that equal words meet whatever their punctuation.
import { undivide } from '../fold.ts'
import { OF_UNSPACED_SCRIPTS } from '../unspaced-scripts.ts'
import { foldWords } from './fold-words.ts'
import { joinedToken } from './numbers.ts'
import {
  HELD_SIGNED_WORD,
  isSignedWord,
  SIGNED_WORD,
  signedWord,
  withoutSigns,
} from './signed-words.ts'
import { knownStem, stemOf, TERM_LENGTH_MAX } from './stemming.ts'

// Words, and words that the punctuation of codes, addresses and paths holds together. A vowel that is
// a sign at its letter belongs to the word, as in most scripts of India. What C/C++ and C++17 hold together are
// words by themselves.
const TOKEN = new RegExp(
  String.raw`${SIGNED_WORD}|[\p{L}\p{Mc}\p{N}]+(?:[-_./@:+#](?!${HELD_SIGNED_WORD})[\p{L}\p{Mc}\p{N}]+)*`,
  'gu',
)
export const PART = /[\p{L}\p{Mc}\p{N}]+/gu
const CODE_SIGN = /[\p{N}@_/.]/u
const UNSPACED_SCRIPT = new RegExp(`[${OF_UNSPACED_SCRIPTS}]+`, 'gu')

/** Of the words in all their spellings. */
export function stemsOf(folded: string): string[] {
  const stems: string[] = []
  for (const token of tokensOf(folded)) {
    // Nearly all are one word with one spelling, and were met before.
    const known = knownStem(token)
    if (known !== undefined) stems.push(known)
    else for (const word of wordsIn(token)) stems.push(...spellingsOf(word).map(stemOf))
  }
  return stems
}

export const termsOfNames = (names: string[]): string[] =>
  names.flatMap((name) => stemsOf(foldWords(name)))

/**
 * A word, and how people write it who do not have its letters or signs, or a version without its v: a memory keeps
 * both, and of a query either will do, so that `lodz` and `łodz` find each other, and `cpp` and `c++`.
 */
export function spellingsOf(word: string): string[] {
  if (isSignedWord(word)) return [word, ...withoutSigns(word)]
  const other = /^v\d+(?:\.\d+)*$/.test(word) ? word.slice(1) : withinLimit(undivide(word))
  return other === word ? [word] : [word, other]
}

/** Each once. A text may repeat few of them very often: 10,000 times ﷺ fold to 40,000 words, four of which differ. */
export const tokensOf = (folded: string): string[] => [...new Set(folded.match(TOKEN))]

/** `ORD-48213-XK` gives ord, 48213, xk and ord48213xk; `well-known` gives well and known. */
export function wordsIn(token: string): string[] {
  // Most tokens have no parts.
  if (/^[a-z0-9]+$/.test(token)) return [withinLimit(token)]
  if (isSignedWord(token)) return [signedWord(token)]
  const parts = token.match(PART) ?? []
  const isCode = parts.length > 1 && CODE_SIGN.test(token)
  return [...parts.flatMap(splitUnspaced), ...(isCode ? [joinedToken(token)] : [])].map(withinLimit)
}

/** Scripts that put no spaces between words are compared by pairs of neighbouring characters. */
function splitUnspaced(word: string): string[] {
  const pairs = (word.match(UNSPACED_SCRIPT) ?? []).flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return [run]
    // Each once: what is written in Hangul has three times as many here, and few that differ.
    return [...new Set(pairsOf(characters))]
  })
  const rest = word.split(UNSPACED_SCRIPT).filter((part) => part !== '')
  return [...pairs, ...rest]
}

const pairsOf = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, index) => `${characters[index]}${character}`)

/** Counted in code points, since half of a surrogate pair could not be stored. */
export const withinLimit = (word: string): string =>
  word.length <= TERM_LENGTH_MAX
    ? word
    : [...word.slice(0, 2 * TERM_LENGTH_MAX)].slice(0, TERM_LENGTH_MAX).join('')
