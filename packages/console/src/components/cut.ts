// Cutting long texts, without cutting a surrogate pair, such as an emoji, in half.
export const cut = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/** The beginning of a text, with an ellipsis if something is left out. */
export const excerpt = (text: string, length: number): string =>
  text.length > length ? `${cut(text, 0, length)}…` : text
