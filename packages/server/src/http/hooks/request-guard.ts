// What HTTP itself demands and Node leaves to us, before anything else is looked at.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'

export async function guardRequest({ raw }: FastifyRequest): Promise<void> {
  const hosts = timesGiven(raw.rawHeaders, 'host')
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    throw new ApiError('BAD_REQUEST', {
      message: 'The request must have exactly one Host header.',
    })
  }
}

/** How often a header was sent. Node keeps the first of several and hides the others. */
export function timesGiven(rawHeaders: string[], name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at] ?? ''
    if (text.length === name.length && text.toLowerCase() === name) times += 1
  }
  return times
}

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
