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

/**
 * Percent-encoded UTF-8: no character longer than it need be, no half of a surrogate pair. An address has room for
 * 5,000 that are broken, before anybody knows whose it is: to let each of them throw would take 30 ms.
 */
const DECODABLE = new RegExp(
  `^(?:[^%]|%(?:${[
    '[0-7][0-9a-f]',
    '(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]',
    '(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89])[0-9a-f]%[89ab][0-9a-f]',
    '(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[0-9a-f](?:%[89ab][0-9a-f]){2}',
  ].join('|')}))*$`,
  'i',
)

const decode = (text: string): string =>
  DECODABLE.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : UNDECODABLE
