// Who is calling? Before anything else is looked at, and before a byte of the body is read. Those
// who fail draw on a bucket of their address; a valid key is never held up by it.
// decisions/2026-11-21-authentication.md, decisions/2026-11-21-failed-authentication-bucket.md
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { OPERATIONS, type RateClass, rateClassOfMethod } from '../../contract/operations.ts'
import { FAILED_AUTHENTICATIONS_MAX } from '../../contract/plans.ts'
import type { Service } from '../../core/service.ts'
import { callerBucket, networkOf } from '../caller-address.ts'
import { hasRateLimitHeaders, rateLimitExceeded, rateLimitHeaders } from '../rate-limit-headers.ts'
import { timesGiven } from '../validation/times-given.ts'

const BEARER = /^bearer +(\S+)$/i
/** Of every 401. */
export const CHALLENGE = { 'www-authenticate': 'Bearer' }

/** Of an answer that knows no key, the rate limit headers are those of the caller's address. */
export function showAddressLimit({ failedAuthentications }: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.admitted !== null || hasRateLimitHeaders(reply)) return
    const bucket = callerBucket(request)
    reply.headers(rateLimitHeaders(failedAuthentications.peek(bucket, FAILED_AUTHENTICATIONS_MAX)))
  }
}

/** Sets `request.admitted`. Whoever has a valid key draws on its rate limit with it. */
export function authenticate({ admission, failedAuthentications }: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const bucket = callerBucket(request)
    try {
      const key = bearerToken(request)
      request.admitted = await admission.admit(key, rateClassOf(request), networkOf(bucket))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const decision = failedAuthentications.hit(bucket, FAILED_AUTHENTICATIONS_MAX)
      reply.headers(rateLimitHeaders(decision))
      if (!decision.isAllowed) throw rateLimitExceeded(decision)
      throw new ApiError(error.code, { headers: CHALLENGE })
    }
  }
}

function rateClassOf({ routeOptions, method }: FastifyRequest): RateClass {
  const { operation, rateClass } = routeOptions.config
  if (operation !== undefined) return OPERATIONS[operation].rateClass
  return rateClass ?? rateClassOfMethod(method)
}

/** Throws UNAUTHORIZED when the header is missing, INVALID_API_KEY when it is anything but one key. */
export function bearerToken({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): string {
  const given = timesGiven(raw.rawHeaders, 'authorization')
  if (given === 0) throw new ApiError('UNAUTHORIZED')
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (given > 1 || token === undefined) throw new ApiError('INVALID_API_KEY')
  return token
}
