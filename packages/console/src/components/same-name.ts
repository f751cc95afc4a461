// Whether a name that was typed to confirm is the one that was shown. Differences that a page does not show
// and a keyboard cannot type do not count: runs of white space, invisible characters, and the two encodings
// of an accented letter.
export function isSameName(typed: string, name: string): boolean {
  const shown = asShown(name)
  // A name of invisible characters cannot be typed: it has to be pasted.
  return shown === '' ? typed === name : asShown(typed) === shown
}

const asShown = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}]/gu, (character) => (/\s/.test(character) ? ' ' : ''))
    .replace(/\s+/gu, ' ')
    .trim()
