// The Expect header. Node would answer `100-continue` before anybody knows who is asking; under /v1
// the client hears it only when its body is about to be read, so that a refusal spares the body.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VERSION_PREFIX } from '../../contract/operations.ts'

export function answerExpectations(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => {
    if (!request.url?.startsWith(VERSION_PREFIX)) response.writeContinue()
    app.routing(request, response)
  })
  // An expectation that nobody knows is no reason to refuse the request.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
}

/** For a request that passed every check that its headers allow. */
export async function askForBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { headers, raw } = request
  const waits = /(^|\W)100-continue($|\W)/i.test(headers.expect ?? '')
  if (waits && raw.httpVersion === '1.1') reply.raw.writeContinue()
}
