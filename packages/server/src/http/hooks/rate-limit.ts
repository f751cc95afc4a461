// Every authenticated request has drawn on its key's window, whatever becomes of it afterwards.
// Its answer tells how much is left; when nothing was, it is refused here.
// decisions/2026-11-21-rate-limit-windows.md
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { rateLimitExceeded, rateLimitHeaders } from '../rate-limit-headers.ts'
import { admittedOf } from '../request-state.ts'

export function rateLimit({ usageJournal }: Service) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { meter, rate } = admittedOf(request)
    usageJournal.note(meter.keyMonth, 0)
    reply.headers(rateLimitHeaders(rate))
    if (!rate.isAllowed) throw rateLimitExceeded(rate)
  }
}
