// What every answer of /v1 must be, whatever was asked.
import { expect } from 'vitest'
import { ERROR_CODES, ERRORS } from '../contract/errors.ts'
import type { Answer } from './api-client.ts'

/** Words that only the inside of the service knows. */
const INNER_WORDS = /\bat \S+ \(|\.ts\b|node_modules|sqlite|SELECT |INSERT |\/work\/|\/tmp\//i

/** A success or a documented refusal, with all headers, and no word about the inside. */
export function expectDocumented(
  answer: Pick<Answer, 'status' | 'headers' | 'text' | 'body' | 'code'>,
  { authenticated = true, toHead = false } = {},
): void {
  const { status, headers, text, body, code } = answer
  expect(status, text).toBeLessThan(500)
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
  expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/)
  if (authenticated) {
    expect(headers.get('x-quota-used')).toMatch(/^\d+$/)
    expect(headers.get('x-quota-reset')).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/)
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (toHead) {
    expect(text).toBe('')
    return
  }
  expect(body).toBeTypeOf('object')
  if (status < 300) return
  expect(INNER_WORDS.test(text), text).toBe(false)
  expect(ERROR_CODES).toContain(code)
  expect(ERRORS[ERROR_CODES.find((known) => known === code) ?? 'INTERNAL_ERROR'].status).toBe(
    status,
  )
  expect(Object.keys(Object(body))).toEqual(['error'])
  expect(Object(body).error.message).toMatch(/\S/)
}
