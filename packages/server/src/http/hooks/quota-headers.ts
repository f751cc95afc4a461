// Tells every response to a valid key how much of the month's quota is used, the operation that it
// answers included. An unlimited plan has no limit to tell.
// decisions/2026-11-21-quota-counting.md
import type { FastifyReply, FastifyRequest } from 'fastify'
import { quotaOf } from '../../core/limits/quota.ts'
import { toTimestamp } from '../../core/timestamp.ts'

export async function quotaHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.admitted === null) return
  const { caller, meter } = request.admitted
  const limit = quotaOf(caller)
  reply.headers({
    ...(limit === undefined ? {} : { 'x-quota-limit': String(limit) }),
    'x-quota-used': String(meter.used),
    'x-quota-reset': toTimestamp(meter.resetAtMs),
  })
}
