// `POST /mcp`: the operations of the contract as tools, by the Model Context Protocol. Callers are admitted
// as under /v1; what a call costs, it costs in tool-call.ts.
//
//   0 Host header       hooks/request-guard.ts  400
//   0 CORS              hooks/cors.ts           off unless configured
//   1 authenticate      hooks/authenticate.ts   401, 429
//   2 rate limit        hooks/rate-limit.ts     429: each request draws one read
//   3 route, method     hooks/unknown-paths.ts  404, 405
//   4 body              hooks/body-parser.ts    415, 413, 400
//   5 user              here                    400
//   5 one message       message-bounds.ts       400, 413
//   6 message           endpoint.ts             200, 202, 400, 403 of an origin
//   7 tool              tool-call.ts            a refusal is an answer
//
// decisions/2026-11-27-tools-for-agents.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { identifier } from '../../contract/fields.ts'
import type { Service } from '../../core/service.ts'
import { whenLeft } from '../connection/when-left.ts'
import { admitCallers } from '../hooks/admit-callers.ts'
import { bearerToken } from '../hooks/authenticate.ts'
import { useJsonBodies } from '../hooks/body-parser.ts'
import { loadedLater } from '../loaded-later.ts'
import { refuseMethodsBut } from '../method-not-allowed.ts'
import type { Route } from '../operation.ts'
import { admittedOf } from '../request-state.ts'
import { expectOnly, queryString } from '../validation/read-input.ts'
import { boundMessage } from './message-bounds.ts'

const readUser = queryString(Type.Object({ userId: Type.Optional(identifier()) }))

export async function mountMcp(
  app: FastifyInstance,
  service: Service,
  { routes, origins }: { routes: readonly Route[]; origins: string[] },
): Promise<void> {
  const endpoint = loadedLater(async () => {
    const { createEndpoint } = await import('./endpoint.ts')
    return createEndpoint(service, { routes, origins })
  })

  async function answerMessage(request: FastifyRequest, reply: FastifyReply) {
    // With `?user_id=maria` nothing would be bound to Maria, and nobody would see it.
    expectOnly(['userId'], request.query, 'The address may have one parameter, userId.')
    const { userId } = readUser(request)
    boundMessage(request.body)
    const { keyId } = admittedOf(request).caller
    const answer = await endpoint()
    const response = await answer({
      body: request.body,
      request: withoutBody(request),
      caller: { key: bearerToken(request), keyId, log: request.log, left: whenLeft(reply) },
      userId,
    })
    return reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(await response.text())
  }

  await app.register(
    async (scope) => {
      await admitCallers(scope, service, origins)
      useJsonBodies(scope)
      scope.post('', { config: { rateClass: 'read' } }, answerMessage)
      refuseMethodsBut(scope, '', ['POST'])
    },
    { prefix: '/mcp' },
  )
}

/** The address says nothing to the protocol, and need not be one that can be reached. */
function withoutBody({ method, headers }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Request('http://mnemograph.invalid/mcp', { method, headers: given })
}
