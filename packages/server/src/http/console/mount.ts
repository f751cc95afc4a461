// The console under /console: its files, its interface under /console/api, and where browsers
// report violations of its policy. Nothing here knows an API key, and nothing under /v1 a cookie.
//
//   1 security headers   security-headers.ts
//   1 Host header        hooks/request-guard.ts   400
//   2 same origin        same-origin.ts           403, 415
//   3 is there a route?  here                     404
//   4 session, key       route.ts                 401, 403, 404, 429
//   5 body               hooks/body-parser.ts     415, 413, 400
//   6 validation         route.ts                 400
//   7 execution          routes/<noun>.ts
//
// decisions/2026-11-21-console-interface.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Console } from '../../console/console.ts'
import { ConsoleError } from '../../console/errors.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Service } from '../../core/service.ts'
import { StoreError } from '../../storage/store.ts'
import { handleError } from '../error-handler.ts'
import { useJsonBodies } from '../hooks/body-parser.ts'
import { guardRequest } from '../hooks/request-guard.ts'
import { takeCspReports } from './csp-reports.ts'
import type { ConsoleRoute, Context } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { entityRoutes } from './routes/entities.ts'
import { entryRoutes } from './routes/entry.ts'
import { graphRoutes } from './routes/graph.ts'
import { keyRoutes } from './routes/keys.ts'
import { memoryRoutes } from './routes/memories.ts'
import { relationRoutes } from './routes/relations.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { refuseForeignRequests } from './same-origin.ts'
import { securityHeaders } from './security-headers.ts'
import { serveStaticFiles } from './static-files.ts'

export type ConsoleMount = {
  console: Console
  signUpIsOpen: boolean
  /** Where people reach the service, if the connection does not tell. */
  publicUrl: string | undefined
  /** The built files. */
  directory: string
}

/** Of whoever is not known yet: the longest password fits. To parse 1 MiB would take others' time. */
const STRANGERS_BODY_BYTES_MAX = 32 * 1024

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...entryRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...memoryRoutes,
  ...entityRoutes,
  ...relationRoutes,
  ...graphRoutes,
]

export async function mountConsole(
  app: FastifyInstance,
  service: Service,
  { directory, registry, ...mount }: ConsoleMount & { registry: Registry },
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', securityHeaders)
      scope.addHook('onRequest', guardRequest)
      scope.addHook('onRequest', async ({ is404, server }) => {
        // Before a body is read. The interface below looks at where a request comes from first.
        if (is404 && server === scope) await notFound()
      })
      scope.setErrorHandler(answerError)
      scope.setNotFoundHandler(notFound)
      serveStaticFiles(scope, directory)
      await takeCspReports(scope, registry)
      await scope.register((api) => mountInterface(api, { service, ...mount }), { prefix: '/api' })
    },
    { prefix: '/console' },
  )
}

async function mountInterface(api: FastifyInstance, context: Context): Promise<void> {
  api.addHook('onRequest', refuseForeignRequests)
  api.addHook('onRequest', async ({ is404 }) => (is404 ? notFound() : undefined))
  api.setNotFoundHandler(notFound)
  const isForAnyone = ({ access }: ConsoleRoute): boolean => access === 'anyone'
  await api.register(async (open) => {
    useJsonBodies(open, STRANGERS_BODY_BYTES_MAX)
    addRoutes(open, context, CONSOLE_ROUTES.filter(isForAnyone))
  })
  await api.register(async (closed) => {
    useJsonBodies(closed)
    const routes = CONSOLE_ROUTES.filter((route) => !isForAnyone(route))
    addRoutes(closed, context, routes)
  })
}

async function notFound(): Promise<never> {
  throw new ApiError('NOT_FOUND')
}

function addRoutes(app: FastifyInstance, context: Context, routes: readonly ConsoleRoute[]): void {
  for (const { method, path, enter, handle } of routes) {
    app.route({
      method,
      url: path,
      onRequest: async (request, reply) => enter(context, request, reply),
      handler: handle,
    })
  }
}

async function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // The key was revoked, and its data purged, while something was added to it.
  const isPurged = thrown instanceof StoreError && thrown.kind === 'purged'
  const error = isPurged ? new ConsoleError('KEY_REVOKED') : thrown
  if (!(error instanceof ConsoleError)) return handleError(error, request, reply)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  await reply.code(error.status).send(error.body())
}
