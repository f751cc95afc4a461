// Answers what never became a request: broken HTTP, headers that are too large, and clients that
// are too slow. Same shape and headers as any other error of /v1, written to the bare socket, and
// only where it cannot be taken for the answer to an earlier request of the same connection. Whatever
// arrives later is not heard: what was refused is not done after all.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode } from '../../contract/errors.ts'
import { FAILED_AUTHENTICATIONS_MAX } from '../../contract/plans.ts'
import type { RateLimiter } from '../../core/limits/rate-limiter.ts'
import { callerBucket } from '../caller-address.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { exchangesOf, isLongBody } from './exchanges.ts'
import { endSoon, hearNoMore } from './linger.ts'

const CODE_OF_PARSER: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** What `curl` sends when an address was typed with an ü in it. */
const UNENCODED = {
  message:
    'The address has characters that must be percent-encoded, as their bytes in UTF-8: %C3%BC for ü.',
}

const REASONS: Partial<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** For an error that Node's parser gives a code, or for any other one, which is a bad request. */
export type AnswerClientError = (error: NodeJS.ErrnoException, socket: Socket) => void

export function answerClientErrors(failedAuthentications: RateLimiter): AnswerClientError {
  return (error, socket) => {
    const exchanges = exchangesOf(socket)
    const takesLong = exchanges.some(({ request }) => !request.complete && isLongBody(request))
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && takesLong) return
    const answeredBefore = exchanges.some(
      ({ request, response }) => !request.complete && response.headersSent,
    )
    if (answeredBefore) {
      socket.destroy()
      return
    }
    hearNoMore(socket)
    const code = CODE_OF_PARSER[error.code ?? ''] ?? 'BAD_REQUEST'
    const answer = new ApiError(code, error.code === 'HPE_INVALID_URL' ? UNENCODED : {})
    const bucket = callerBucket({ ip: socket.remoteAddress, socket })
    const numbers = failedAuthentications.peek(bucket, FAILED_AUTHENTICATIONS_MAX)
    const earlier = exchanges
      .filter(({ request, response }) => request.complete && !response.closed)
      .map(({ response }) => once(response, 'close'))
    void Promise.allSettled(earlier).then(() => {
      if (socket.writable) endSoon(socket, toMessage(answer, rateLimitHeaders(numbers)))
      else socket.destroy()
    })
  }
}

function toMessage(answer: ApiError, numbers: Record<string, string>): string {
  const body = JSON.stringify(answer.body())
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': randomUUID(),
    ...numbers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${answer.status} ${REASONS[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
