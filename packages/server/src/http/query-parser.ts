// Reads query strings. A value that is not valid percent-encoded UTF-8 becomes one that no schema
// accepts, so that it is refused by the field's own rule instead of being matched in part.

/** Half of a surrogate pair: a text that can be stored never holds it. */
const UNDECODABLE = '\ud800'

/** A parameter that is given twice becomes an array. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name, ...value] = pair.split('=').map(decode)
    if (name === undefined) continue
    const before = parameters[name]
    const current = value.join('=')
    if (Array.isArray(before)) before.push(current)
    else parameters[name] = before === undefined ? current : [before, current]
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return UNDECODABLE
  }
}
