// One line per request, answered or not, of an allowed list of facts: no header, query, body or id of a
// record ever reaches the log. What proxies and monitors ask every few seconds would be most of it, and says
// nothing while it is well: those lines are of level debug.
import type { FastifyInstance } from 'fastify'
import { whenOver } from './when-over.ts'

const ASKED_BY_PROGRAMS: ReadonlySet<string | undefined> = new Set([
  '/livez',
  '/readyz',
  '/metrics',
])

export function logRequests(app: FastifyInstance): void {
  whenOver(app, (request, { status, durationMs }) => {
    const route = request.routeOptions.url
    const isWell = status !== undefined && status < 400
    request.log[ASKED_BY_PROGRAMS.has(route) && isWell ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        keyId: request.admitted?.caller.keyId,
      },
      'request',
    )
  })
}
