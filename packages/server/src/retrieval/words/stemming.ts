// Words without their endings, by the Snowball stemmer for English: "liked" and "likes" become
// "like". Words of other scripts and codes stay as they are.
import { stem } from 'porter2'

/** In characters. English has no longer word: what is longer is cut before it comes here, or is not kept. */
export const TERM_LENGTH_MAX = 64

/** What was looked up lately, and before that: two plain maps cost less than an order of use. */
let recent = new Map<string, string>()
let earlier = new Map<string, string>()
const RECENT_MAX = 25_000

/** Of a word that was looked up lately, and is no longer than a term. */
export const knownStem = (word: string): string | undefined => recent.get(word)

export function stemOf(word: string): string {
  if (word.length > TERM_LENGTH_MAX || !/^[a-z]+$/.test(word)) return word
  const known = recent.get(word)
  if (known !== undefined) return known
  const own = apart(word)
  return remember(own, earlier.get(own) ?? apart(stem(own)))
}

/** One that was cut out of a text, or that the stemmer has put together of pieces, keeps all of these in memory. */
const apart = (word: string): string => Buffer.from(word, 'latin1').toString('latin1')

function remember(word: string, stemmed: string): string {
  if (recent.size === RECENT_MAX) {
    earlier = recent
    recent = new Map()
  }
  recent.set(word, stemmed)
  return stemmed
}
