// What HTTP itself demands and Node leaves to us, before anything else is looked at.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../contract/errors.ts'

export async function guardRequest({ raw }: FastifyRequest): Promise<void> {
  const hosts = raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  ).length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    throw new ApiError('BAD_REQUEST', {
      message: 'The request must have exactly one Host header.',
    })
  }
}

/**
 * The address that the router sees. An undecodable path is looked up literally, so that it is not
 * found like any other id that cannot exist; the absolute form means the same as the usual one.
 */
export function routableUrl(url: string): string {
  const relative = url.replace(/^https?:\/\/[^/?]*/i, '')
  const queryStart = relative.indexOf('?')
  const path = queryStart === -1 ? relative : relative.slice(0, queryStart)
  try {
    decodeURIComponent(path)
    return relative
  } catch {
    return path.replaceAll('%', '%25') + relative.slice(path.length)
  }
}
