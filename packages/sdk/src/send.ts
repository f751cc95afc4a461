// What every request goes through: its headers, its tries, and what a later try may mean. A create has one
// Idempotency-Key over all tries, so that it makes one record however many of them arrive; a delete that
// finds nothing after a try whose fate nobody knows has succeeded.
// decisions/2026-11-27-typescript-client.md
import { type Landmark, readAnswer } from './answer.ts'
import { ApiError, type KnownErrorCode } from './errors.ts'
import { expectNames, type Names } from './given.ts'
import { type Fetch, tryOnce } from './one-try.ts'
import { type Bounds, headerText, readBounds } from './options.ts'
import { isDoubtful, waitBeforeRetryMs } from './retry.ts'
import type { Wait } from './wait.ts'

export type RequestOptions = Partial<Bounds> & {
  /** Ends the request and its waiting; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}
export type CreateOptions = RequestOptions & {
  /** 1 to 255 visible ASCII characters. A random one is made for each call without it. */
  idempotencyKey?: string
}

export const REQUEST_OPTIONS: Names<RequestOptions> = {
  signal: true,
  timeoutMs: true,
  retries: true,
}
export const CREATE_OPTIONS: Names<CreateOptions> = { idempotencyKey: true, ...REQUEST_OPTIONS }

export type Request<Body> = {
  method: 'GET' | 'POST' | 'DELETE'
  /** With its query. */
  path: string
  body?: object
  /** Of a create. */
  idempotencyKey?: string
  landmark: Landmark
  /** Of a delete: the code that says that there is no such record, and what a success answers. */
  gone?: { code: KnownErrorCode; answer: Body }
}

export type Send = <Body>(request: Request<Body>, options: RequestOptions) => Promise<Body>

type Sender = Bounds & {
  apiKey: string
  /** Without a slash at its end. */
  baseUrl: string
  fetch: Fetch
  wait: Wait
  random: () => number
}

export const sender = ({ apiKey, baseUrl, fetch, wait, random, ...own }: Sender): Send =>
  async function send<Body>(request: Request<Body>, options: RequestOptions): Promise<Body> {
    expectNames('options', options, REQUEST_OPTIONS)
    const { timeoutMs, retries } = readBounds(options, own)
    const { signal } = options
    if (signal && typeof signal.throwIfAborted !== 'function') {
      throw new TypeError(
        'signal must be an AbortSignal, such as the signal of an AbortController.',
      )
    }
    const { method, body, idempotencyKey, gone } = request
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && {
        'idempotency-key': headerText('idempotencyKey', idempotencyKey, 255),
      }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    let mayBeDone = false
    for (let failures = 0; ; failures += 1) {
      try {
        const url = `${baseUrl}${request.path}`
        const answer = await tryOnce(
          fetch,
          url,
          { method, headers, body: text },
          { timeoutMs, signal },
        )
        return readAnswer<Body>(answer, request.landmark)
      } catch (error) {
        if (mayBeDone && gone && error instanceof ApiError && error.code === gone.code) {
          return gone.answer
        }
        const waitMs = failures < retries ? waitBeforeRetryMs(error, failures, random) : undefined
        if (waitMs === undefined) throw error
        mayBeDone ||= isDoubtful(error)
        await wait(waitMs, signal)
      }
    }
  }
