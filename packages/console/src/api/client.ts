// One way to the server: JSON, same origin, cookie. Whatever goes wrong comes out as an ApiError
// whose text can be shown as it is.
import { API_PREFIX, type ErrorBody } from './contract.ts'

export class ApiError extends Error {
  readonly code: ErrorBody['error']['code'] | 'OFFLINE' | 'UNREADABLE'
  readonly status: number
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    error: Omit<ErrorBody['error'], 'code'> & { code: ApiError['code'] },
  ) {
    super(error.message)
    this.name = 'ApiError'
    this.code = error.code
    this.status = status
    this.field = error.field
    this.retryAfter = error.retryAfter
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>

export function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`
  return ask<Answer>(`${path}${search}`, signal ? { signal } : {})
}

export function post<Answer>(path: string, body: object = {}, signal?: AbortSignal) {
  return ask<Answer>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** What somebody else has deleted meanwhile is deleted; `gone` is the code of an answer that says so. */
export const postDelete = (path: string, gone: ApiError['code']) =>
  post<unknown>(path).catch((error: unknown) => {
    if (!isApiError(error, gone)) throw error
  })

/** A path whose variable parts are escaped: an id is only ever one segment. */
export const path = (parts: TemplateStringsArray, ...values: string[]) =>
  String.raw(parts, ...values.map(encodeURIComponent))

async function ask<Answer>(target: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(API_PREFIX + target, { credentials: 'same-origin', ...init }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      throw new ApiError(0, {
        code: 'OFFLINE',
        message: 'The server cannot be reached. Is it running?',
      })
    },
  )
  const body: unknown = await response.json().catch(() => undefined)
  // The server is the same build as this page and validates what it answers against the contract.
  if (response.ok && body !== undefined) return body as Answer
  throw problemOf(response.status, body)
}

function problemOf(status: number, body: unknown): ApiError {
  // An answer without the documented shape comes from something between here and the server.
  const error = (body as Partial<ErrorBody> | undefined)?.error
  return new ApiError(
    status,
    error?.code && error.message
      ? error
      : { code: 'UNREADABLE', message: `The server answered with status ${status} and no reason.` },
  )
}

export const isApiError = (error: unknown, ...codes: ApiError['code'][]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code))
