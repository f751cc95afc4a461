// Whether a text in Latin letters is in another language than English. It is told by its small words: by
// those of other languages, by words that English has not, and by how few English ones stand between. No
// English text may be taken for another: names, code and single words decide nothing, and a doubt is decided
// for English.
// decisions/2026-11-27-other-languages.md
import { foldText } from './fold.ts'
import { isKnownTo, rarityInEnglish } from './rarity.ts'
import { FUNCTION_WORDS } from './words/function-words.ts'
import { stemOf } from './words/stemming.ts'
import { STOP_WORDS } from './words/stop-words.ts'

/** Words of both, which decide nothing: "was" is German, "me" Spanish, "we" Polish. */
const IN_OTHERS_TOO = new Set(
  'a am an as at by do d had has her i in is m me no of on or over s so t to was we will'.split(
    ' ',
  ),
)
/** Shorter ones are abbreviations elsewhere, unless they open a question. */
const LONG_FROM = 4
const OPENING = new Set(
  'ce chi cui czy gì hoe hva ile jak kaç kdo kdy ki kto når när où qué que qui vem wem wer wie wo'.split(
    ' ',
  ),
)
/** Addresses, paths, names of things in programs. */
const CODE = /[\d_@/\\#=<>{}$|]|[\p{L}\p{N}][.:+()[\]&][\p{L}\p{N}]/u
const WORD_OF_LETTERS = /\p{L}[\p{L}\p{M}]*/gu
/** No small word is longer, and to put many marks of a letter into order takes the square of their number. */
const WORD_LENGTH_MAX = 40
/** What English borrows has no letters as those of Polish, Turkish and Romanian: it writes café and über. */
const UNBORROWED_LETTER = /[\u0100-\u017f\u0218-\u021b]/u
const POINTS_MIN = 3

/**
 * Points for another language: two for what is surely of one, one for a short small word, and for a word that
 * English has not. Points for English: three for a small word, a half for any other.
 */
export function isInOtherLanguage(text: string): boolean {
  let isMarked = text.includes('¿')
  let points = isMarked ? 2 : 0
  let english = 0
  for (const [place, word] of wordsOf(text).entries()) {
    if (IN_OTHERS_TOO.has(word)) continue
    const folded = foldText(word)
    if (STOP_WORDS.has(word)) english += 3
    else if (UNBORROWED_LETTER.test(word)) {
      isMarked = true
      points += 2
    } else if (FUNCTION_WORDS.has(word) || FUNCTION_WORDS.has(folded)) {
      isMarked = true
      points += word.length >= LONG_FROM || (place === 0 && OPENING.has(word)) ? 2 : 1
    } else if (isEnglish(folded)) english += 0.5
    else if (word.length > 1) points += 1
  }
  return isMarked && points >= POINTS_MIN && points > english
}

const isEnglish = (folded: string): boolean => isKnownTo(rarityInEnglish(), stemOf(folded))

/** In lower case, each once. A capital after the first word is that of a name. */
function wordsOf(text: string): string[] {
  const [first = '', ...others] = text
    .split(/\s+/)
    .filter((group) => !CODE.test(group))
    .flatMap((group) => group.match(WORD_OF_LETTERS) ?? [])
    .map((word) => (word.length > WORD_LENGTH_MAX ? word : word.normalize('NFC')))
  const opening = /^\p{Lu}\p{Lu}/u.test(first) ? '' : first.toLowerCase()
  return [...new Set([opening, ...others.filter((word) => word === word.toLowerCase())])]
}
