// One notion of "the same letters": without case, diacritics and compatibility forms. Names and
// terms go through it when they are stored and when they are looked for.

/** `Straße` and `STRASSE`, `Ångström` and `angstrom`, `ﬁn` and `fin` become equal. */
export const foldText = (text: string): string =>
  // Nothing else happens to these, which are nearly all.
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : foldAny(text)

const foldAny = (text: string): string =>
  text
    .normalize('NFKD')
    // The capital ẞ stays as it is in upper case: only as ß does it become ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // Case mapping can compose and decompose: marks are dropped after it, not before.
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ς', 'σ')
