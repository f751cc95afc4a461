// Turns whatever was thrown into an answer of the documented shape. Only errors that were meant
// for the caller speak; everything else becomes INTERNAL_ERROR, and the log alone says why.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../contract/errors.ts'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { errorCodeOf } from '../error-code.ts'
import { StoreError } from '../storage/store.ts'
import { logFailure } from './failure-log.ts'
import { CHALLENGE } from './hooks/authenticate.ts'

const RETRY_SOON = { 'retry-after': '1' }

const CODE_OF_STORE: Record<StoreError['kind'], ErrorCode> = {
  full: 'STORAGE_FULL',
  unavailable: 'SERVICE_UNAVAILABLE',
  // The service follows the store to its new model by itself; a caller only sees what came of it.
  outdated: 'SERVICE_UNAVAILABLE',
  // Its record runs out at this very moment: a later try makes a new one.
  repeated: 'SERVICE_UNAVAILABLE',
  // The meter that set the limit turns it into QUOTA_EXCEEDED.
  exhausted: 'INTERNAL_ERROR',
  // Only the space of a revoked key is purged: it was revoked after the request was admitted.
  purged: 'API_KEY_REVOKED',
  fault: 'INTERNAL_ERROR',
}

const HEADERS_OF_CODE: { [code in ErrorCode]?: Record<string, string> } = {
  SERVICE_UNAVAILABLE: RETRY_SOON,
  API_KEY_REVOKED: CHALLENGE,
}

const CODE_OF_FRAMEWORK: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  // Of an answer that is a stream: its client left before any of it was there.
  ERR_STREAM_PREMATURE_CLOSE: 'BAD_REQUEST',
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreError) {
    const code = CODE_OF_STORE[error.kind]
    return new ApiError(code, { cause: error, headers: HEADERS_OF_CODE[code] ?? {} })
  }
  if (error instanceof EmbedderUnavailable) {
    return new ApiError('SERVICE_UNAVAILABLE', { cause: error, headers: RETRY_SOON })
  }
  const code = CODE_OF_FRAMEWORK[errorCodeOf(error)]
  if (code !== undefined) return new ApiError(code)
  return new ApiError('INTERNAL_ERROR', { cause: error })
}

export async function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request
  const clientLeft = raw.destroyed && !raw.complete
  const answer = clientLeft ? new ApiError('BAD_REQUEST') : toApiError(error)
  logFailure(request.log, answer)
  request.errorCode = answer.code
  await reply.code(answer.status).headers(answer.headers).send(answer.body())
}
