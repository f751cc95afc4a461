// Reads bodies: JSON in UTF-8, nothing else. The type is judged before the size and both before a
// byte is parsed; invalid UTF-8 is refused instead of being replaced, because a text is stored
// exactly or not at all.
// decisions/2026-11-21-http-details.md
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BODY_BYTES_MAX } from '../contract/bounds.ts'
import { ApiError } from '../contract/errors.ts'

const JSON_TYPE = /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*|;[^;]*)*$/i
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8"?\s*(;|$))/i

/** For POST: what its headers say about the body, before the body is read. */
export async function checkBodyHeaders({ method, headers }: FastifyRequest): Promise<void> {
  if (method !== 'POST') return
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const type = headers['content-type']
  if (type === undefined ? hasBody : !JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The body must not be compressed.',
    })
  }
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    throw new ApiError('PAYLOAD_TOO_LARGE')
  }
}

export function useJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async ({ method }: FastifyRequest, bytes: Buffer) =>
      method === 'POST' ? parseJson(bytes) : undefined,
  )
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own message quotes the body, which must not reach a log.
    throw new ApiError('VALIDATION_ERROR', {
      message:
        bytes.length === 0 ? 'The body must be a JSON object.' : 'The body is not valid JSON.',
    })
  }
}
