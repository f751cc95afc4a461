// The exact words of a text, as the search compares them: folded, stemmed, codes both in parts and
// joined. A query and a memory go through the same function, so that equal words meet whatever
// their case, accents and punctuation.
import { foldText } from './fold.ts'
import { nameMark, namesInLabel, namesInSentences } from './names.ts'
import { stemOf } from './stemming.ts'
import { STOP_WORDS } from './stop-words.ts'

// Words, and words that the punctuation of codes, addresses and paths holds together.
const TOKEN = /[\p{L}\p{N}]+(?:[-_./@:+#][\p{L}\p{N}]+)*/gu
const PART = /[\p{L}\p{N}]+/gu
const CODE_SIGN = /[\p{N}@_/.]/u
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu
const TERM_LENGTH_MAX = 64

/**
 * The terms of a memory, each once, stop words too: a query may consist of nothing else. Those that
 * it writes as names stand there a second time, marked.
 */
export function termsOfMemory(content: string): string[] {
  const terms = wordsOf(content).map(stemOf)
  const names = termsOfNames([...namesInLabel(content), ...namesInSentences(content)])
  return [...new Set([...terms, ...names.map(nameMark)])]
}

/** The terms of a query, each once, without stop words unless there are only such. */
export function termsOfQuery(query: string): { term: string; isName: boolean }[] {
  const words = wordsOf(query)
  const meaningful = words.filter((word) => !STOP_WORDS.has(word))
  const names = new Set(termsOfNames(namesInSentences(query)))
  const terms = new Set((meaningful.length > 0 ? meaningful : words).map(stemOf))
  return [...terms].map((term) => ({ term, isName: names.has(term) }))
}

const termsOfNames = (names: string[]): string[] => names.flatMap(wordsOf).map(stemOf)

/** `ORD-48213-XK` gives ord, 48213, xk and ord48213xk; `well-known` gives well and known. */
function wordsOf(text: string): string[] {
  const tokens = foldText(text).match(TOKEN) ?? []
  return tokens.flatMap((token) => {
    const parts = token.match(PART) ?? []
    const isCode = parts.length > 1 && CODE_SIGN.test(token)
    return [...parts.flatMap(splitUnspaced), ...(isCode ? [parts.join('')] : [])].map(withinLimit)
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

/** Counted in code points, since half of a surrogate pair could not be stored. */
const withinLimit = (word: string): string =>
  word.length <= TERM_LENGTH_MAX ? word : [...word].slice(0, TERM_LENGTH_MAX).join('')
