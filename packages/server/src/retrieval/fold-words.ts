// What makes two words the same beyond their letters: digits of any script, and none of the signs
// that nobody sees. Names of entities are not folded so, since they are kept in their folded form.
import { foldText } from './fold.ts'

const ASCII = /^[\0-\x7f]*$/
/** The soft hyphen, the joiners and the mark of byte order, which stand inside of words. */
const UNSEEN = /\u00ad|\u200d|\u2060|\ufeff/g
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu
/** In each script nine digits follow the zero. */
const ZEROS = [...'٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐'].map((zero) => zero.codePointAt(0) ?? 0)

export const foldWords = (text: string): string =>
  ASCII.test(text)
    ? foldText(text)
    : foldText(text.replace(UNSEEN, '')).replace(OTHER_DIGIT, inAscii)

function inAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((first) => first <= code && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}
