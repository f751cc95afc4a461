// Tells of the end of every request, also of one whose connection is closed before its answer is out, as callers
// do whose patience has an end: Fastify's own `onResponse` is silent about that. Left out, what takes too long
// would be missing from figures and log.
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** `status`: undefined when there was nobody to take the answer. */
type Over = { status: number | undefined; durationMs: number }

type Told = (request: FastifyRequest, over: Over) => void

export function whenOver(app: FastifyInstance, told: Told): void {
  app.addHook('onRequest', (request, reply, done) => {
    const beganAtMs = performance.now()
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : undefined
      told(request, { status, durationMs: performance.now() - beganAtMs })
    })
    done()
  })
}
