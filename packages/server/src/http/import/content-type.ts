// What the headers of an import say about its body, before any of it is read: JSON lines in UTF-8,
// under any of the names that they go by, and not compressed.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { IMPORT_MEDIA_TYPE } from '../../contract/import.ts'
import { timesGiven } from '../hooks/request-guard.ts'

const LINES_TYPE = /^\s*application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\s*(;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi
const UTF_8 = /^utf-?8$/i

/** Throws UNSUPPORTED_MEDIA_TYPE. */
export async function checkLinesHeaders({ headers, raw }: FastifyRequest): Promise<void> {
  const type = headers['content-type'] ?? ''
  const isUtf8 = [...type.matchAll(CHARSET)].every(([, name = '']) => UTF_8.test(name))
  if (!LINES_TYPE.test(type) || !isUtf8 || timesGiven(raw.rawHeaders, 'content-type') > 1) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be JSON lines, sent with "Content-Type: ${IMPORT_MEDIA_TYPE}".`,
    })
  }
  const encoding = headers['content-encoding'] || 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must not be compressed.' })
  }
}
