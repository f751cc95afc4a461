// The address of a request as the router can read it, and its two parts. Whatever a client sent, the
// router can decode what it gets.

/**
 * The address that the router sees. An undecodable path is looked up literally, so that it is not
 * found like any other id that cannot exist; so is a `#`, behind which the router would not see the
 * query any more. The absolute form means the same as the usual one.
 */
export function routableUrl(url: string): string {
  const relative = url.replace(/^https?:\/\/[^/?]*/i, '')
  const [path, query] = splitUrl(relative)
  const literal = (isDecodable(path) ? path : path.replaceAll('%', '%25')).replaceAll('#', '%23')
  return `${literal.startsWith('/') ? '' : '/'}${literal}${query}`
}

/** The path, and the query with its question mark. */
export function splitUrl(url: string): [path: string, query: string] {
  const end = url.indexOf('?')
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)]
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
