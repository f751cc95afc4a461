// Whether a name that was typed to confirm is the one that was shown. What a page does not show and
// a keyboard does not type is no difference: folded white space, characters without a picture, and
// the two ways to write an accent.
export function isSameName(typed: string, name: string): boolean {
  const shown = asShown(name)
  // Of a name without a picture nothing can be typed: it has to be pasted.
  return shown === '' ? typed === name : asShown(typed) === shown
}

const asShown = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}]/gu, (character) => (/\s/.test(character) ? ' ' : ''))
    .replace(/\s+/gu, ' ')
    .trim()
