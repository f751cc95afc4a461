// What is made of an answer: the documented object of a success, or an ApiError. A redirect is not followed,
// since it could carry the key to another origin, and whatever is not in the service's words (a proxy's page,
// an empty body) is named as such.
import { ApiError, type ApiErrorDetail } from './errors.ts'
import { isObject } from './is-object.ts'

export type Answer = {
  status: number
  headers: { get(name: string): string | null }
  text: string
}

/** By which an answer is known to be the one of its operation. */
export type Landmark = 'id' | 'items' | 'results' | 'remaining'

/** Throws ApiError. */
export function readAnswer<Body>({ status, headers, text }: Answer, landmark: Landmark): Body {
  const requestId = headers.get('x-request-id') ?? undefined
  const body = parsed(text)
  const isSuccess = status >= 200 && status < 300
  // The types are held against the service's by a test; here only somebody else's answer is told apart.
  if (isSuccess && isObject(body) && isAnswer(body, landmark)) return body as Body
  const error = isObject(body) && !isSuccess && isObject(body['error']) ? body['error'] : {}
  const code = textOf(error['code'])
  const message = textOf(error['message'])
  throw new ApiError(status, {
    ...(code && message ? { code, message, ...extraFields(error) } : unexpected(status)),
    requestId,
    retryAfterSeconds: secondsOf(headers.get('retry-after')) ?? numberOf(error['retryAfter']),
  })
}

function isAnswer(body: Record<string, unknown>, landmark: Landmark): boolean {
  if (landmark === 'id') return typeof body['id'] === 'string'
  if (landmark === 'remaining') return areNumbers(body, ['deleted', 'remaining'])
  return (
    Array.isArray(body[landmark]) && (landmark === 'results' || isPagination(body['pagination']))
  )
}

/** Without either number, reading a whole list would never end. */
const isPagination = (value: unknown): boolean =>
  isObject(value) && areNumbers(value, ['total', 'limit'])

const areNumbers = (body: Record<string, unknown>, fields: readonly string[]): boolean =>
  fields.every((field) => typeof body[field] === 'number')

const extraFields = (error: Record<string, unknown>) => ({
  field: textOf(error['field']),
  currentUsage: numberOf(error['currentUsage']),
  limit: numberOf(error['limit']),
  resetAt: textOf(error['resetAt']),
})

function unexpected(status: number): ApiErrorDetail {
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const message = isRedirect
    ? 'The base URL answers with a redirect, which is not followed. Use the address that it leads to.'
    : `What answered, with status ${status}, is not the service. Is it a proxy, or the base URL wrong?`
  return { code: 'UNEXPECTED_ANSWER', message }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After is a number of seconds, or a date. A date has letters first: `Date.parse` takes `1.5` for one. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  if (!/^[A-Z]/i.test(header)) return undefined
  const untilMs = Date.parse(header) - Date.now()
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil(untilMs / 1000))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)
