// Lets browsers of the configured origins call /v1 and /mcp. A preflight is answered before authentication,
// since it never carries a key; any other OPTIONS is a wrong method like the rest.
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE']

/** What a script may read of an answer, besides the few headers that it always may. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Used',
  'X-Quota-Reset',
  'Retry-After',
]

/** For how long a browser may remember a preflight; none remembers longer. */
const MAX_AGE_SECONDS = 7_200

export async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    delegator: async (request: FastifyRequest): Promise<FastifyCorsOptions> => ({
      origin: origins,
      methods: METHODS,
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: MAX_AGE_SECONDS,
      preflight: isPreflight(request),
    }),
  })
}

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined
