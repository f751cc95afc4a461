// One line per answered request, of an allowed list of facts: no header, query, body or id of a
// record ever reaches the log.
import type { FastifyInstance } from 'fastify'

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        keyId: request.admitted?.caller.keyId,
      },
      'request',
    )
  })
}
