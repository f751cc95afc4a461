// Short words with signs of their own, without which they are others, or nothing: C++ and C# are not C, and of
// AT&T the words "at" and "t" are left, which carry no meaning.
// decisions/2026-11-29-words-with-signs.md
import { GROUP, type NumberForms } from './numbers.ts'
import { STOP_WORDS } from './stop-words.ts'

/** As it is in the source of a page, too. */
const AND = '&(?:amp;)?'
/**
 * On one side there is but a letter, which alone says nothing: `mum&dad` are two words. So are the sides in `a=b&c=d`
 * and `a&lt;b`.
 */
const pairJoinedBy = (and: string): string =>
  String.raw`(?:[a-z]{1,3}${and}[a-z]s?|[a-z]${and}[a-z]{2,3}(?!;))(?!\p{L}|\p{N}*[=@])`
const PAIR = pairJoinedBy(AND)
/** Of a folded text, behind nothing that holds words together: the C# of `C#/F#`, the F# of `F#m7`. */
export const SIGNED_WORD = String.raw`[a-z](?:\+\+|#)|${PAIR}`
/** Behind a sign that holds words together: `main.c#L20` is a part of a file. */
export const HELD_SIGNED_WORD = String.raw`[a-z](?:\+\+|#(?!\p{L}))|${PAIR}`
const WHOLE_WORD = new RegExp(`^(?:${SIGNED_WORD})$`, 'u')
/** Or without spaces, which is the same. */
const SPACED = pairJoinedBy(` ?${AND} ?`)
const SAID = String.raw`[a-z][ -](?:sharp|plus[ -]plus)(?![\p{L}\p{N}])`
const IN_PARTS = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${SPACED}|${SAID})`, 'gu')

/** What memories may as well write out. */
const ABBREVIATIONS: ReadonlySet<string> = new Set('b&b f&b m&a p&l q&a r&b r&d t&c'.split(' '))

export const isSignedWord = (word: string): boolean => WHOLE_WORD.test(word)

/** One for all its writings: `m&m` for M&amp;Ms and `m & m`, `c#` for `c sharp`. */
export const signedWord = (written: string): string =>
  written
    .replace(/ ?&(?:amp;)? ?/, '&')
    .replace(/(?<=&[a-z])s$/, '')
    .replace(/[ -]sharp$/, '#')
    .replace(/[ -]plus/g, '+')

/** Whether it is called so alone: a memory of another one answers nothing. */
export const isSignedName = (word: string): boolean =>
  isSignedWord(word) && !ABBREVIATIONS.has(word)

/** As people write it who leave the signs out. But two letters without the sign are mostly others: am, cd, hr. */
export function withoutSigns(word: string): string[] {
  if (word.endsWith('++')) return word === 'c++' ? ['cpp'] : []
  if (word.endsWith('#')) return [word.replace('#', 'sharp')]
  const said = word.replace('&', 'n')
  const joined = word.length > 'd&d'.length ? [word.replace('&', '')] : []
  return [said, ...joined].filter((other) => !STOP_WORDS.has(other))
}

/** `AT & T`, `C sharp` and `C plus plus` are found by their parts, and as a whole. */
export const signedWordsInParts = (folded: string): NumberForms[] =>
  (folded.match(IN_PARTS) ?? []).map((run) => ({
    groups: run.match(GROUP) ?? [],
    forms: [signedWord(run)],
    isCode: false,
  }))
