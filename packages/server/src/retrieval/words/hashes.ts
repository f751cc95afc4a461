// Hashes of commits, images and files, which git, docker and people shorten to their first digits.
// decisions/2026-11-28-codes-name-one-thing.md

/** With a digit and a letter: a number has other things before it, which tell it from others. */
export const HASH = String.raw`(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,}`
const WHOLE_HASH = new RegExp(`^${HASH}$`)
const SHORT_LENGTHS = [7, 8, 9, 10, 11, 12]
const SHORT = /^[\da-f]{7,12}$/

const beginningsOf = (word: string): string[] =>
  WHOLE_HASH.test(word)
    ? SHORT_LENGTHS.filter((length) => length < word.length).map((length) => word.slice(0, length))
    : []

/** No word so long ends with this sign. Two hashes of one beginning do not find each other by it. */
const markOf = (beginning: string): string => `${beginning}#`

/** What a memory keeps of a hash besides the whole. */
export const marksOfHash = (word: string): string[] => beginningsOf(word).map(markOf)

/** Of a query: longer ones that begin so, and what it is shortened to itself. */
export const otherLengthsOfHash = (word: string): string[] => [
  ...(SHORT.test(word) ? [markOf(word)] : []),
  ...beginningsOf(word),
]
