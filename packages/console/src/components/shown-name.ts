// How a name is shown, and whether one that was typed to confirm is the one that was shown. Differences that
// a page does not show and a keyboard cannot type do not count: runs of white space, invisible characters, and
// the two encodings of an accented letter.
export function isSameName(typed: string, name: string): boolean {
  return typed === name || visibleOf(typed) === visibleOf(shownName(name))
}

/**
 * A name of which nothing can be seen, such as a zero-width space, is shown by the numbers of its characters:
 * else it could be neither typed nor, as a link without a width, pressed.
 */
export const shownName = (name: string): string =>
  visibleOf(name) === '' ? [...name].map(numberOf).join(' ') : name

const numberOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const visibleOf = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
      /\s/.test(character) ? ' ' : '',
    )
    .replace(/\s+/gu, ' ')
    .trim()
