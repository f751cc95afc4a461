// Whether a text has what was typed to find it: case and accents make no difference, as in a search for
// entities. The reader's language makes none either: Turkish would part the i of "invoice" from that of "INVOICE".
export function isSought(typed: string): (text: string) => boolean {
  const sought = folded(typed.trim())
  return (text) => folded(text).includes(sought)
}

/** In upper case, where ß is SS, and ı and i are one letter. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toUpperCase()
