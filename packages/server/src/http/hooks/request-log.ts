// One line per answered request, of an allowed list of facts: no header, query, body or id of a
// record ever reaches the log. What proxies and monitors ask every few seconds would be most of it, and says
// nothing while it is well: those lines are of level debug.
import type { FastifyInstance } from 'fastify'

const ASKED_BY_PROGRAMS: ReadonlySet<string | undefined> = new Set([
  '/livez',
  '/readyz',
  '/metrics',
])

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url
    const status = reply.statusCode
    request.log[ASKED_BY_PROGRAMS.has(route) && status < 400 ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        keyId: request.admitted?.caller.keyId,
      },
      'request',
    )
  })
}
