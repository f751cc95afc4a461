// Cutting long texts, without cutting a surrogate pair, such as an emoji, in half.
export const cut = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/**
 * The beginning of a text, with an ellipsis if something is left out. Empty lines in front of it would take all
 * the room that it has.
 */
export function excerpt(text: string, length: number): string {
  const seen = text.trimStart()
  return seen.length > length ? `${cut(seen, 0, length)}…` : seen
}
