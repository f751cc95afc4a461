// READ FIRST. Everything that answers HTTP, wired on one page; the life of a request is the order
// of the hooks below.
//
//   connections            connection/count.ts         as many as open files allow
//   parser limits          connection/client-error.ts  broken, too large or too slow: 400, 431, 408
//   requests under way     connection/exchanges.ts     at most so many a connection
//   request id             here                        always ours
//   /v1 only, 0 to 3 in hooks/admit-callers.ts:
//   0 Host header          hooks/request-guard.ts      400
//   0 CORS                 hooks/cors.ts               off unless configured
//   1 authenticate         hooks/authenticate.ts       401; 429 for addresses that often fail
//   2 rate limit           hooks/rate-limit.ts         429
//   3 is there a route?    hooks/unknown-paths.ts      404; method-not-allowed.ts: 405
//   4 body                 hooks/body-parser.ts        415, 413, 400
//   5 validation           operation.ts                400
//   6 quota                operation.ts                403
//   7 execution            routes/<noun>.ts
//   8 quota headers        hooks/quota-headers.ts
//   8 address's bucket     hooks/authenticate.ts       its numbers, on answers that know no key
//   /import                import/mount.ts, the same 0 to 3 but for CORS, then a stream of lines
//   /forget                forget/mount.ts, the same 0 to 4 but for CORS, then all memories of a user
//   /mcp                   mcp/mount.ts, the same 0 to 4, then 1, 2 and 5 to 7 for each call of a tool
//   /console               console/mount.ts, an interface of its own
//
// decisions/2026-11-21-order-of-checks.md, decisions/2026-11-21-outside-v1.md
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { HEADER_BYTES_MAX, HEADERS_MAX } from '../contract/bounds.ts'
import { ApiError } from '../contract/errors.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Service } from '../core/service.ts'
import { LongBodies } from './body/long-bodies.ts'
import { ReadingTurns } from './body/reading-turns.ts'
import { answerClientErrors } from './connection/client-error.ts'
import { boundConnections } from './connection/count.ts'
import { drainOnClose } from './connection/drain.ts'
import { hangUpOnSilence, trackExchanges } from './connection/exchanges.ts'
import { answerExpectations } from './connection/expectations.ts'
import { refuseForeignMethods } from './connection/foreign-methods.ts'
import { refuseTunnels } from './connection/tunnels.ts'
import { limitUnreadBodies } from './connection/unread-bodies.ts'
import { type ConsoleMount, mountConsole } from './console/mount.ts'
import { handleError } from './error-handler.ts'
import { mountForget } from './forget/mount.ts'
import { admitCallers } from './hooks/admit-callers.ts'
import { useJsonBodies } from './hooks/body-parser.ts'
import { quotaHeaders } from './hooks/quota-headers.ts'
import { logRequests } from './hooks/request-log.ts'
import { mountImport } from './import/mount.ts'
import { mountMcp } from './mcp/mount.ts'
import { acceptEveryMethod, refuseOtherMethods } from './method-not-allowed.ts'
import { addRoute } from './operation.ts'
import { serveDocs } from './operator/docs.ts'
import { serveHealth } from './operator/health.ts'
import { serveMetrics } from './operator/metrics.ts'
import { routableUrl } from './routable-url.ts'
import { entityRoutes } from './routes/entities.ts'
import { memoryRoutes } from './routes/memories.ts'
import { relationRoutes } from './routes/relations.ts'
import { parseQuery } from './validation/query-parser.ts'

const ROUTES = [...memoryRoutes, ...entityRoutes, ...relationRoutes]

export type Timeouts = {
  /** For a client to send its headers, and its whole request. */
  headersMs: number
  requestMs: number
  /** How often the two are looked at. */
  checkIntervalMs: number
  /** How long a connection may wait for its next request. */
  keepAliveMs: number
  /** For a client to take more of what waits for it. */
  answerSilenceMs: number
  /** For a client of an import to send its next line, or to take the next answer. */
  importSilenceMs: number
  /** For what is under way when the service stops. */
  drainMs: number
  /** For a proxy to hear that the service stops, while its connections stay open. */
  proxyIdleMs: number
}

const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkIntervalMs: 1_000,
  keepAliveMs: 65_000,
  answerSilenceMs: 60_000,
  importSilenceMs: 60_000,
  drainMs: 20_000,
  proxyIdleMs: 3_000,
}

type AppOptions = {
  logger: FastifyBaseLogger
  /** Origins of browsers that may call; none means that CORS is off. */
  corsOrigins: string[]
  /** Addresses of proxies whose X-Forwarded-For is believed; none means that nobody's is. */
  trustedProxies: string[]
  console: ConsoleMount
  /** Shorter ones, for tests. */
  timeouts?: Partial<Timeouts> | undefined
}

export async function createApp(service: Service, options: AppOptions): Promise<FastifyInstance> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const answerClientError = answerClientErrors(service.failedAuthentications)
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    routerOptions: {
      // An id of any length is looked up, and not found.
      maxParamLength: HEADER_BYTES_MAX,
      querystringParser: parseQuery,
    },
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node would answer in a shape of its own: guardRequest does it in ours.
      requireHostHeader: false,
    },
    // While stopping, a request that still arrives is served like any other.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      void handleError(error, request, reply)
    },
  })
  app.server.maxHeadersCount = HEADERS_MAX
  boundConnections(app)
  answerExpectations(app)
  const isStopping = drainOnClose(app, {
    drainMs: timeouts.drainMs,
    idleMs: options.trustedProxies.length > 0 ? timeouts.proxyIdleMs : 0,
    // Whoever stops the service closes the model too, and hears when that fails.
    refuseWaiting: () => void service.model.close().catch(() => undefined),
  })
  trackExchanges(app)
  hangUpOnSilence(app, timeouts.answerSilenceMs)
  limitUnreadBodies(app)
  refuseForeignMethods(app, answerClientError)
  refuseTunnels(app, answerClientError)

  const readingTurns = new ReadingTurns()
  app.decorate('longBodies', new LongBodies(readingTurns))
  app.decorateRequest('admitted', null)
  app.decorateRequest('errorCode', null)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(async () => {
    throw new ApiError('NOT_FOUND')
  })
  // In front of whatever refuses a request.
  logRequests(app)
  const registry = serveMetrics(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Before a body is read: outside of /v1 nothing else looks at an unknown path.
    if (request.is404 && request.server.prefix === '') throw new ApiError('NOT_FOUND')
  })
  acceptEveryMethod(app)
  serveHealth(app, service, isStopping)
  serveDocs(app)

  const v1Routes = async (v1: FastifyInstance): Promise<void> => {
    await admitCallers(v1, service, options.corsOrigins)
    useJsonBodies(v1)
    v1.addHook('onSend', quotaHeaders)
    for (const route of ROUTES) addRoute(v1, service, route)
    refuseOtherMethods(v1)
  }
  await app.register(v1Routes, { prefix: VERSION_PREFIX })
  const { importSilenceMs: silenceMsMax, drainMs } = timeouts
  await mountImport(app, service, { registry, readingTurns, silenceMsMax, drainMs })
  await mountForget(app, service)
  await mountMcp(app, service, { routes: ROUTES, origins: options.corsOrigins })
  await mountConsole(app, service, { ...options.console, registry })
  return app
}
