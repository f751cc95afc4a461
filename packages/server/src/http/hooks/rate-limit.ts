// Draws every authenticated request on its key's window, whatever becomes of it afterwards.
// decisions/2026-11-21-rate-limit-windows.md
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OPERATIONS, rateClassOfMethod } from '../../contract/operations.ts'
import type { Service } from '../../core/service.ts'
import { rateLimitExceeded, rateLimitHeaders } from './rate-limit-headers.ts'
import { callerOf } from './request-state.ts'

export function rateLimit({ rateLimiter, usageJournal }: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { caller, meter } = callerOf(request)
    usageJournal.note(meter.charge, 0)
    const { operation } = request.routeOptions.config
    const rateClass = operation
      ? OPERATIONS[operation].rateClass
      : rateClassOfMethod(request.method)
    const decision = rateLimiter.hit(`${caller.keyId} ${rateClass}`, caller.rateLimits[rateClass])
    reply.headers(rateLimitHeaders(decision))
    if (!decision.allowed) throw rateLimitExceeded(decision)
  }
}
