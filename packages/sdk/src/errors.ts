// Whatever goes wrong with a request rejects as one of these, never as a SyntaxError of something that is no
// JSON. No message holds the key, an address behind the origin, or a text of a request; what the platform
// says of a lost connection is the cause. Act on `code`: the text is for people.

/** The codes of the service. */
export type KnownErrorCode =
  | 'UNAUTHORIZED'
  | 'INVALID_API_KEY'
  | 'API_KEY_REVOKED'
  | 'VALIDATION_ERROR'
  | 'CONTENT_TOO_LONG'
  | 'INVALID_USER_ID'
  | 'INVALID_ENTITY_TYPE'
  | 'NAME_REQUIRED'
  | 'INVALID_RELATION_TYPE'
  | 'BAD_REQUEST'
  | 'QUOTA_EXCEEDED'
  | 'MEMORY_NOT_FOUND'
  | 'ENTITY_NOT_FOUND'
  | 'RELATION_NOT_FOUND'
  | 'SOURCE_ENTITY_NOT_FOUND'
  | 'TARGET_ENTITY_NOT_FOUND'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'STORAGE_FULL'

/** `UNEXPECTED_ANSWER`: what answered is not the service. A later version may add codes. */
export type ErrorCode = KnownErrorCode | 'UNEXPECTED_ANSWER' | (string & {})

export class MnemographError extends Error {
  override readonly name: string = 'MnemographError'
}

/** No whole answer came. The request may have been carried out. */
export class ConnectionError extends MnemographError {
  override readonly name = 'ConnectionError'
}

/** No whole answer came in time. The request may have been carried out. */
export class TimeoutError extends MnemographError {
  override readonly name = 'TimeoutError'
}

export type ApiErrorDetail = {
  message: string
  code: ErrorCode
  requestId?: string | undefined
  field?: string | undefined
  retryAfterSeconds?: number | undefined
  currentUsage?: number | undefined
  limit?: number | undefined
  resetAt?: string | undefined
}

/** The answer is a refusal, or is not one of the service. */
export class ApiError extends MnemographError {
  override readonly name = 'ApiError'
  /** Of HTTP; 0 where a browser hides that of a redirect. */
  readonly status: number
  readonly code: ErrorCode
  /** By which the service's log knows the request. */
  readonly requestId: string | undefined
  /** Of VALIDATION_ERROR: the field that is wrong. */
  readonly field: string | undefined
  /** How long the service, or a proxy, asks to wait. */
  readonly retryAfterSeconds: number | undefined
  /** Of QUOTA_EXCEEDED, in operations; `resetAt` is the first instant of the next month, ISO 8601. */
  readonly currentUsage: number | undefined
  readonly limit: number | undefined
  readonly resetAt: string | undefined

  constructor(status: number, detail: ApiErrorDetail) {
    super(detail.message)
    this.status = status
    this.code = detail.code
    this.requestId = detail.requestId
    this.field = detail.field
    this.retryAfterSeconds = detail.retryAfterSeconds
    this.currentUsage = detail.currentUsage
    this.limit = detail.limit
    this.resetAt = detail.resetAt
  }
}
