/**
 * The error table of the contract and its decided statuses, and the one assertion on it. The
 * body is compared as a whole: the code, a text for people, and exactly the extra fields that the
 * code has, so that nothing else can leak into an error.
 */
import { expect } from 'vitest'
import { type Answer, header } from './answer.ts'

export const errorStatus = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  CONTENT_TOO_LONG: 400,
  INVALID_USER_ID: 400,
  INVALID_ENTITY_TYPE: 400,
  NAME_REQUIRED: 400,
  INVALID_RELATION_TYPE: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  API_KEY_REVOKED: 401,
  QUOTA_EXCEEDED: 403,
  NOT_FOUND: 404,
  MEMORY_NOT_FOUND: 404,
  ENTITY_NOT_FOUND: 404,
  RELATION_NOT_FOUND: 404,
  SOURCE_ENTITY_NOT_FOUND: 404,
  TARGET_ENTITY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_KEY_REUSED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Asserts the status, the code and the whole body; `extra` are the fields beside the message. */
export function expectError(
  answer: Answer,
  code: ErrorCode,
  extra: Readonly<Record<string, unknown>> = {},
): void {
  const got = { status: answer.status, body: answer.body }
  expect(got).toEqual({
    status: errorStatus[code],
    body: { error: { code, message: expect.stringMatching(/\S/), ...extra } },
  })
  if (answer.status === 401) {
    expect(header(answer, 'www-authenticate')).toMatch(/^Bearer\b/)
  }
}

/** A VALIDATION_ERROR that names the field. */
export function expectInvalid(answer: Answer, field: string): void {
  expectError(answer, 'VALIDATION_ERROR', { field })
}

export function expectRateLimited(answer: Answer): number {
  const retryAfter = Number(header(answer, 'retry-after'))
  expectError(answer, 'RATE_LIMIT_EXCEEDED', { retryAfter })
  expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true)
  return retryAfter
}
