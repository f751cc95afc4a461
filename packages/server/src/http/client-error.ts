// Answers what never became a request: broken HTTP, headers that are too large, and clients that
// are too slow. Same shape and headers as any other error of /v1, written to the bare socket.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode } from '../contract/errors.ts'
import { FAILED_AUTHENTICATIONS_MAX } from '../contract/plans.ts'
import type { RateLimiter } from '../core/rate-limiter.ts'
import { addressBucket } from './address.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

const CODE_OF_PARSER: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

const REASONS: Partial<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

export function answerClientErrors(failedAuthentications: RateLimiter) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const answer = new ApiError(CODE_OF_PARSER[error.code ?? ''] ?? 'BAD_REQUEST')
    const body = JSON.stringify(answer.body())
    const bucket = addressBucket(socket.remoteAddress ?? '')
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      'x-request-id': randomUUID(),
      ...rateLimitHeaders(failedAuthentications.peek(bucket, FAILED_AUTHENTICATIONS_MAX)),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(
      `HTTP/1.1 ${answer.status} ${REASONS[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
    )
  }
}
