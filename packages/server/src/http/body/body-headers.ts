// What the headers of a request say about its body, before any of it is read: a type that is named
// once, in UTF-8, and a body that is not compressed. Which types are read is up to the route.
// decisions/2026-11-21-http-details.md
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { timesGiven } from '../validation/times-given.ts'

type WithHeaders = Pick<FastifyRequest, 'headers' | 'raw'>

export const JSON_TYPE = /^\s*application\/json\s*(;|$)/i

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi
const UTF_8 = /^utf-?8$/i

export function hasType({ headers, raw }: WithHeaders, type: RegExp): boolean {
  const given = headers['content-type'] ?? ''
  const isUtf8 = [...given.matchAll(CHARSET)].every(([, name = '']) => UTF_8.test(name))
  return isUtf8 && type.test(given) && timesGiven(raw.rawHeaders, 'content-type') === 1
}

/** Throws UNSUPPORTED_MEDIA_TYPE. */
export function refuseCompressed({ headers }: WithHeaders): void {
  const encoding = headers['content-encoding'] || 'identity'
  // Node takes the chunks apart, and leaves what was packed into them as it is.
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must not be compressed.' })
  }
}
