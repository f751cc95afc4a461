// The one way to the server: JSON, to the same origin, with the session's cookie. Every failure is an
// ApiError whose message can be shown as it is.
import { type AnswerTo, API_PREFIX, type ErrorBody, type PathOf } from './contract.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorBody['error']['code'] | 'OFFLINE' | 'UNREADABLE'
  readonly status: number
  readonly field: string | undefined
  readonly retryAfter: number | undefined
  /** How long after the request it came. */
  readonly afterMs: number

  constructor(
    status: number,
    error: Omit<ErrorBody['error'], 'code'> & { code: ApiError['code'] },
    afterMs: number,
  ) {
    super(error.message)
    this.code = error.code
    this.status = status
    this.field = error.field
    this.retryAfter = error.retryAfter
    this.afterMs = afterMs
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

/** The values of a path's variable parts, by name. */
type Parts<Path extends string> = Readonly<Record<PartOf<Path>, string>>
type PartOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PartOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export function get<const Path extends PathOf<'GET'>>(
  path: Path,
  parts: Parts<Path>,
  query: Query = {},
  signal?: AbortSignal,
) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`
  return ask<AnswerTo<'GET', Path>>(`${filled(path, parts)}${search}`, signal ? { signal } : {})
}

export function post<const Path extends PathOf<'POST'>>(
  path: Path,
  parts: Parts<Path>,
  body: object = {},
  { signal, idempotencyKey }: { signal?: AbortSignal; idempotencyKey?: string } = {},
) {
  return ask<AnswerTo<'POST', Path>>(filled(path, parts), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** A POST that deletes. The error `gone` counts as success: somebody else has deleted it meanwhile. */
export const postDelete = <const Path extends PathOf<'POST'>>(
  path: Path,
  parts: Parts<Path>,
  gone: ApiError['code'],
) =>
  post(path, parts).catch((error: unknown) => {
    if (!isApiError(error, gone)) throw error
  })

/** The variable parts are escaped: an id is only ever one segment. */
const filled = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))

async function ask<Answer>(target: string, init: RequestInit): Promise<Answer> {
  const asked = performance.now()
  const response = await fetch(API_PREFIX + target, { credentials: 'same-origin', ...init }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      const message = 'The server cannot be reached. Is it running?'
      throw new ApiError(0, { code: 'OFFLINE', message }, performance.now() - asked)
    },
  )
  const body: unknown = await response.json().catch(() => undefined)
  // The server is of the same build as this page, and the compiler holds each of its routes to the type by
  // which this answer's was looked up (console/contract/answers.ts).
  if (response.ok && body !== undefined) return body as Answer
  throw problemOf(response.status, body, performance.now() - asked)
}

/** A proxy answers these when the service behind it is away or takes too long. */
const WITHOUT_A_SERVICE = [502, 503, 504]

function problemOf(status: number, body: unknown, afterMs: number): ApiError {
  // An answer without the documented shape comes from something between here and the server.
  const error = (body as Partial<ErrorBody> | undefined)?.error
  if (error?.code && error.message) return new ApiError(status, error, afterMs)
  return new ApiError(status, { code: 'UNREADABLE', message: unreadable(status) }, afterMs)
}

function unreadable(status: number): string {
  if (WITHOUT_A_SERVICE.includes(status)) {
    return 'The service cannot be reached just now. It may be restarting: try again in a moment.'
  }
  if (status < 300) {
    return 'Something in between answered for the server, maybe a proxy that wants you to sign in.'
  }
  return `The server answered with status ${status} and no reason.`
}

export const isApiError = (error: unknown, ...codes: ApiError['code'][]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code))

/** Whether nothing of the service answers, not even its page. */
export const isAway = (error: unknown): boolean =>
  isApiError(error, 'OFFLINE') ||
  (isApiError(error, 'UNREADABLE') && WITHOUT_A_SERVICE.includes(error.status))

/** Whether the answer was lost on the way, so that nobody here knows whether the request was carried out. */
export const isDoubtful = (error: unknown): boolean => isApiError(error, 'OFFLINE', 'UNREADABLE')
