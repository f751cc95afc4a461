// A part of a text that may be long. No character is cut in half: what lies beyond the basic plane,
// such as an emoji, takes two places.
export const cut = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/** The beginning of a text; what is left out leaves an ellipsis. */
export const excerpt = (text: string, length: number): string =>
  text.length > length ? `${cut(text, 0, length)}…` : text
