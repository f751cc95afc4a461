// One notion of "the same letters": without case, diacritics and compatibility forms. Names and
// terms go through it when they are stored and when they are looked for.

/** Letters with a stroke, two in one, and those of Icelandic, which Unicode takes apart in no form. */
const UNDIVIDED: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ƀ: 'b',
  ɨ: 'i',
  ɍ: 'r',
  ʉ: 'u',
  ȼ: 'c',
  ǥ: 'g',
  ƶ: 'z',
  ɏ: 'y',
  ᵽ: 'p',
  ɇ: 'e',
  ɉ: 'j',
  ⱥ: 'a',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
}
const ANY_UNDIVIDED = new RegExp(`[${Object.keys(UNDIVIDED).join('')}]`, 'gu')

/**
 * More of them than any letter carries, with those of half width, which only become marks. To put marks into
 * their order takes the square of their number.
 */
const MANY_MARKS = /[\p{M}\uff9e\uff9f]{30}/gu
/** A mark over which no other is moved, and which is dropped with them: the combining grapheme joiner. */
const BORDER_OF_MARKS = '\u034f'

/** `Straße` and `STRASSE`, `Ångström` and `angstrom`, `ﬁn` and `fin` become equal. */
export const foldText = (text: string): string =>
  // Nothing else happens to these, which are nearly all.
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : foldAny(text)

const foldAny = (text: string): string =>
  text
    .replace(MANY_MARKS, `$&${BORDER_OF_MARKS}`)
    .normalize('NFKD')
    // The capital ẞ stays as it is in upper case: only as ß does it become ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // Case mapping makes a letter of the iota below: marks are dropped after it, not before.
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ς', 'σ')
    // What typesetting puts in place of the signs of a keyboard: O’Brien, Jean‑Luc.
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[‐‒–]/g, '-')

/** Of a folded text: `łodz` becomes `lodz`, which is what people type who do not have these letters. */
export const undivide = (folded: string): string =>
  folded.replace(ANY_UNDIVIDED, (letter) => UNDIVIDED[letter] ?? letter)

/**
 * For names, which are looked for by their letters: `Łódź` is found by `lodz` as well. One of marks alone, of which
 * that would leave nothing, stays as it is.
 */
export function foldName(name: string): string {
  const folded = undivide(foldText(name))
  return folded.trim() === '' ? name : folded
}
