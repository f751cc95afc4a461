// What the headers of an import have to say about its body, before any of it is read: JSON lines in
// UTF-8, under any of the names that they go by, and not compressed.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { IMPORT_MEDIA_TYPE } from '../../contract/import.ts'
import { hasType, refuseCompressed } from '../body/body-headers.ts'

const LINES_TYPE = /^\s*application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\s*(;|$)/i

/** Throws UNSUPPORTED_MEDIA_TYPE. */
export async function checkLinesHeaders(request: FastifyRequest): Promise<void> {
  if (!hasType(request, LINES_TYPE)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be JSON lines, sent with "Content-Type: ${IMPORT_MEDIA_TYPE}".`,
    })
  }
  refuseCompressed(request)
}
