// The three headers that every response of /v1 carries, and the error when a limit is reached.
import type { FastifyReply } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import type { RateDecision } from '../core/limits/rate-limiter.ts'

export const rateLimitHeaders = (decision: RateDecision): Record<string, string> => ({
  'x-ratelimit-limit': String(decision.limit),
  'x-ratelimit-remaining': String(decision.remaining),
  'x-ratelimit-reset': String(decision.resetAtSeconds),
})

export const hasRateLimitHeaders = (reply: FastifyReply): boolean =>
  reply.hasHeader('x-ratelimit-limit')

export const rateLimitExceeded = ({ retryAfterSeconds }: RateDecision): ApiError =>
  new ApiError('RATE_LIMIT_EXCEEDED', {
    message: `Too many requests. Wait ${retryAfterSeconds} s before the next one.`,
    fields: { retryAfter: retryAfterSeconds },
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
