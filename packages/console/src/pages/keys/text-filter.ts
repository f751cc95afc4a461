// Which texts contain what was typed to find them. Case and accents make no difference, as in a search for
// entities, nor does the reader's language: in Turkish the i of "invoice" would not be that of "INVOICE".
export function textFilter(typed: string): (text: string) => boolean {
  const sought = folded(typed.trim())
  return (text) => folded(text).includes(sought)
}

/** Upper case, in which ß is SS, and ı and i are one letter. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toUpperCase()
