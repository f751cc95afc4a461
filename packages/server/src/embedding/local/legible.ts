// Rewrites a text for a WordPiece tokenizer, so that the model reads all of it. Such a tokenizer
// makes a word one unknown token as soon as it is longer than 100 letters or has one unknown
// character: a key of 200 letters and "great😀" would both be invisible. Long words are therefore
// taken apart, well below that limit because the time for a word grows with its square and more,
// and emoji are set off. Everything else stays as it is.

/** Longer than words of most languages. Decomposed, as Hangul is, it makes 96 letters at most. */
const WORD_LENGTH_MAX = 32

const LONG_WORD = new RegExp(`[^\\s\\p{P}]{${WORD_LENGTH_MAX + 1},}`, 'gu')
const PART = new RegExp(`.{1,${WORD_LENGTH_MAX}}`, 'gu')
const ASCII = /^[\0-\x7f]*$/

/** The same text with spaces put in; nothing is taken out. */
export const legible = (text: string): string =>
  aroundEmoji(text).replace(LONG_WORD, (word) => word.replace(PART, '$& '))

// No emoji is made of ASCII alone, and to make this expression takes 30 ms: not while a worker starts.
const aroundEmoji = (text: string): string =>
  ASCII.test(text) ? text : text.replace(/\p{RGI_Emoji}/gv, ' $& ')
