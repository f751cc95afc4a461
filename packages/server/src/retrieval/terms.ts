// The exact words of a text, as the search compares them: folded, stemmed, codes both in parts and
// joined. A query and a memory go through the same function, so that equal words meet whatever
// their case, accents and punctuation.
import { foldText } from './fold.ts'
import { stemOf } from './stemming.ts'

// Words that carry no meaning of their own. They count only when a query has nothing else. "user"
// is among them because agents ask about "the user" whoever it is.
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of in on at to for and or is are was were be been do does did has have had i you he she
  it we they his her its their my your our me him them us this that these those with by as from what
  when where who whom whose which how why will would can could should about into than then there
  here not no so if but up out just s t re ve ll d m user`.split(/\s+/),
)

// Words, and words that the punctuation of codes, addresses and paths holds together.
const TOKEN = /[\p{L}\p{N}]+(?:[-_./@:+#][\p{L}\p{N}]+)*/gu
const PART = /[\p{L}\p{N}]+/gu
const CODE_SIGN = /[\p{N}@_/.]/u
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu
const TERM_LENGTH_MAX = 64

/** The terms of a memory, each once, stop words too: a query may consist of nothing else. */
export const termsOfMemory = (content: string): string[] => [
  ...new Set(wordsOf(content).map(stemOf)),
]

/** The terms of a query, each once, without stop words unless there are only such. */
export function termsOfQuery(query: string): { term: string; isName: boolean }[] {
  const words = wordsOf(query)
  const meaningful = words.filter((word) => !STOP_WORDS.has(word))
  const names = new Set(properNames(query).flatMap(wordsOf).map(stemOf))
  const terms = new Set((meaningful.length > 0 ? meaningful : words).map(stemOf))
  return [...terms].map((term) => ({ term, isName: names.has(term) }))
}

/** `ORD-48213-XK` gives ord, 48213, xk and ord48213xk; `well-known` gives well and known. */
function wordsOf(text: string): string[] {
  const tokens = foldText(text).match(TOKEN) ?? []
  return tokens.flatMap((token) => {
    const parts = token.match(PART) ?? []
    const isCode = parts.length > 1 && CODE_SIGN.test(token)
    return [...parts.flatMap(splitUnspaced), ...(isCode ? [parts.join('')] : [])].map((word) =>
      word.slice(0, TERM_LENGTH_MAX),
    )
  })
}

/** Scripts that put no spaces between words are compared by pairs of neighbouring characters. */
function splitUnspaced(word: string): string[] {
  const pairs = (word.match(UNSPACED_SCRIPT) ?? []).flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return [run]
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })
  const rest = word.split(UNSPACED_SCRIPT).filter((part) => part !== '')
  return [...pairs, ...rest]
}

/** Capitalised words inside a sentence. A text in title case or capitals tells nothing. */
function properNames(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  const capitalised = words.filter((word) => /^\p{Lu}/u.test(word))
  if (words.length >= 3 && capitalised.length > words.length / 2) return []
  const inside = text.match(/(?<=[\p{L}\p{M}\p{N},;:)'’"]\s+["'(“‘]?)\p{Lu}\p{L}+/gu) ?? []
  return inside.filter((word) => !STOP_WORDS.has(foldText(word)))
}
