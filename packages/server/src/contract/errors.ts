// Every error that a caller can meet: code, status and default text, in one table. The text is
// public; whatever an operator needs beyond it travels as `cause`, which only the log shows.
// A test holds this table against the generated OpenAPI document, both ways.
// decisions/2026-11-21-error-codes.md, decisions/2026-11-21-status-codes.md

const CATALOGUE = {
  UNAUTHORIZED: {
    status: 401,
    message: 'The Authorization header is missing. Send "Authorization: Bearer <API_KEY>".',
  },
  INVALID_API_KEY: {
    status: 401,
    message: 'The API key is not valid. Send "Authorization: Bearer <API_KEY>" with an active key.',
  },
  API_KEY_REVOKED: {
    status: 401,
    message: 'The API key was revoked. Use another key, or create a new one.',
  },
  VALIDATION_ERROR: { status: 400, message: 'The request is not valid.' },
  CONTENT_TOO_LONG: { status: 400, message: 'content must have at most 10,000 characters.' },
  INVALID_USER_ID: {
    status: 400,
    message:
      'userId must be a text of 1 to 256 characters that is not blank and holds no NUL or lone surrogate.',
  },
  INVALID_ENTITY_TYPE: {
    status: 400,
    message:
      'type must be one of PERSON, ORGANIZATION, LOCATION, PRODUCT, EVENT, CONCEPT and OTHER.',
  },
  NAME_REQUIRED: {
    status: 400,
    message:
      'name must be a text of 1 to 256 characters that is not blank and holds no NUL or lone surrogate.',
  },
  INVALID_RELATION_TYPE: {
    status: 400,
    message:
      'type must be 1 to 64 letters (A-Z, a-z), digits and underscores, beginning with a letter.',
  },
  BAD_REQUEST: { status: 400, message: 'The request is not valid HTTP.' },
  QUOTA_EXCEEDED: { status: 403, message: 'The monthly quota of this API key is used up.' },
  MEMORY_NOT_FOUND: { status: 404, message: 'There is no memory with this id.' },
  ENTITY_NOT_FOUND: { status: 404, message: 'There is no entity with this id.' },
  RELATION_NOT_FOUND: { status: 404, message: 'There is no relation with this id.' },
  SOURCE_ENTITY_NOT_FOUND: { status: 404, message: 'There is no entity with the id in sourceId.' },
  TARGET_ENTITY_NOT_FOUND: { status: 404, message: 'There is no entity with the id in targetId.' },
  NOT_FOUND: {
    status: 404,
    message:
      'There is nothing at this path. /docs shows those of the API; none has a slash at its end.',
  },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not support the method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This Idempotency-Key was used with another request. Use a new one for each request.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body must have at most 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The body must be JSON, sent with "Content-Type: application/json".',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests. Wait before the next one.' },
  HEADERS_TOO_LARGE: {
    status: 431,
    message:
      'A request must have at most 1,000 headers, and these and its address less than 16 KiB in all.',
  },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot answer right now. Try again in a moment.',
  },
  STORAGE_FULL: { status: 507, message: 'The storage is full. Nothing was written.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof CATALOGUE
export const ERRORS: Readonly<Record<ErrorCode, { status: number; message: string }>> = CATALOGUE
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(CATALOGUE).filter(isErrorCode)

export function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(CATALOGUE, name)
}

type ErrorDetail = {
  /** Replaces the catalogue's text where more can be said. Public. */
  message?: string
  /** The extra fields of the error body, such as `retryAfter`. Public. */
  fields?: Readonly<Record<string, string | number>>
  /** Response headers that belong to this error. */
  headers?: Readonly<Record<string, string>>
  /** What happened inside. Logged, never sent. */
  cause?: unknown
}

/** An error that is meant for the caller. Anything else that is thrown becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Readonly<Record<string, string | number>>
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(detail.message ?? ERRORS[code].message, { cause: detail.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.fields = detail.fields ?? {}
    this.headers = detail.headers ?? {}
  }

  /** The body that the contract documents: `{ error: { code, message, ...extra fields } }`. */
  body(): { error: Record<string, string | number> } {
    return { error: { code: this.code, message: this.message, ...this.fields } }
  }
}
