// Rewrites a text for a WordPiece tokenizer, so that the model reads all of it. Such a tokenizer
// makes a word one unknown token as soon as it is longer than 100 letters or has one unknown
// character: a key of 200 letters, "great😀" and letters of full width would all be invisible. So long
// words are taken apart (well below that limit: the time for a word grows with the square of its length
// and more), emoji are set off by spaces, and letters of full or half width are written like all others.
// Everything else stays as it is.

/** Longer than words of most languages. */
const LETTERS_MAX = 32
/** A syllable of Hangul is decomposed into up to three letters. */
const LETTERS_OF_SYLLABLE = 3

const LONG_WORD = new RegExp(`[^\\s\\p{P}]{${Math.ceil(LETTERS_MAX / LETTERS_OF_SYLLABLE)},}`, 'gu')
const HANGUL = /\p{Script=Hangul}/u
const ASCII = /^[\0-\x7f]*$/
/** Ｆｕｌｌ and ﾊﾝｶｸ. */
const OTHER_WIDTH = /[\uff01-\uffee]+/g

/** The same text with spaces put in and letters in one width; nothing is taken out. */
export const legible = (text: string): string =>
  (ASCII.test(text) ? text : aroundEmoji(inOneWidth(text))).replace(LONG_WORD, takenApart)

const inOneWidth = (text: string): string =>
  text.replace(OTHER_WIDTH, (letters) => letters.normalize('NFKC'))

// To make this expression takes 30 ms: not while a worker starts.
const aroundEmoji = (text: string): string => text.replace(/\p{RGI_Emoji}/gv, ' $& ')

function takenApart(word: string): string {
  const hasHangul = HANGUL.test(word)
  if (!hasHangul && word.length <= LETTERS_MAX) return word
  let parts = ''
  let letters = 0
  for (const character of word) {
    const more = hasHangul && HANGUL.test(character) ? LETTERS_OF_SYLLABLE : 1
    if (letters + more > LETTERS_MAX) {
      parts += ' '
      letters = 0
    }
    parts += character
    letters += more
  }
  return parts
}
