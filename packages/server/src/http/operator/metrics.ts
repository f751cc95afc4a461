// Figures for Prometheus. Labels are route templates, never ids or texts of callers, and a stranger cannot
// make thousands of series: monitoring keeps each of them for long.
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { whenOver } from '../hooks/when-over.ts'
import { sharedAnswer } from './shared-answer.ts'

/** Those of routes. Node reads thirty more, which anybody may try on every path. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']

/** Returns where others can add figures of their own. */
export function serveMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestSeconds = new Histogram({
    name: 'mnemograph_http_request_duration_seconds',
    help: 'Time from the end of the headers of a request to the last byte of its answer, or to the end of its connection.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })

  whenOver(app, (request, { status = 'none', durationMs }) => {
    const method = METHODS.includes(request.method) ? request.method : 'other'
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe({ method, route, status }, durationMs / 1000)
  })
  const metrics = sharedAnswer(() => registry.metrics())
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await metrics()),
  )
  return registry
}
