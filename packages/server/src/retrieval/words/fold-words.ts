// What makes two words the same beyond their letters: digits of any script, fractions apart from the whole
// before them, and none of the signs that nobody sees. Names of entities are not folded so, since they are kept
// in their folded form.
import { foldText } from '../fold.ts'

const ASCII = /^[\0-\x7f]*$/
/** The soft hyphen, the joiners and the mark of byte order, which stand inside of words. */
const UNSEEN = /\u00ad|\u200d|\u2060|\ufeff/g
/** `1½` is 1 and a half; without case and forms the half becomes 1⁄2, and both together 11⁄2. */
const BEFORE_FRACTION = /(?<=\p{Nd})(?=[¼-¾⅐-⅟↉])/gu
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu
const DIGIT = /\p{Nd}/u
/** Of the digits that were met: there are some hundreds. */
const asciiOf = new Map<string, string>()

export const foldWords = (text: string): string =>
  ASCII.test(text)
    ? foldText(text)
    : foldText(text.replace(UNSEEN, '').replace(BEFORE_FRACTION, ' ').replaceAll('♯', '#')).replace(
        OTHER_DIGIT,
        inAscii,
      )

function inAscii(digit: string): string {
  const known = asciiOf.get(digit) ?? placeInRow(digit)
  asciiOf.set(digit, known)
  return known
}

/** In each script nine digits follow the zero. Rows of ten may follow each other. */
function placeInRow(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}
