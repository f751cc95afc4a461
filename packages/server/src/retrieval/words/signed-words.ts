// Short words with signs of their own, without which they are others, or nothing: C++ and C# are not C, and of
// AT&T the words "at" and "t" are left, which carry no meaning.
// decisions/2026-11-29-words-with-signs.md

/** Of a folded text. `main.c#L20` and `a=b&c=d` are parts of links. */
export const SIGNED_WORD = [
  String.raw`[a-z](?:\+\+|#(?!\p{L}))`,
  String.raw`[a-z]{1,3}&[a-z]{1,3}(?![\p{L}\p{N}=;])`,
].join('|')
const WHOLE_WORD = new RegExp(`^(?:${SIGNED_WORD})$`, 'u')

/** What memories may as well write out. */
const ABBREVIATIONS: ReadonlySet<string> = new Set('b&b f&b m&a p&l q&a r&b r&d t&c'.split(' '))

export const isSignedWord = (word: string): boolean => WHOLE_WORD.test(word)

/** Whether it is called so alone: a memory of another one answers nothing. */
export const isSignedName = (word: string): boolean =>
  isSignedWord(word) && !ABBREVIATIONS.has(word)

/** As people write it who leave the signs out: `cpp`, `csharp`, `att`. */
export const withoutSigns = (word: string): string =>
  word.replace('++', 'pp').replace('#', 'sharp').replace('&', '')
