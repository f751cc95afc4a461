// The Expect header. Node would answer `100-continue` before anybody knows who is asking; where
// callers are authenticated the client hears it only when its body is about to be read, so that a refusal spares the body.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from '../../console/contract/interface.ts'
import { IMPORT_PREFIX } from '../../contract/import.ts'
import { VERSION_PREFIX } from '../../contract/operations.ts'

/** Where `askForBody` answers instead. */
const ASKED_LATER = [VERSION_PREFIX, API_PREFIX, IMPORT_PREFIX]

export function answerExpectations(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => {
    if (!ASKED_LATER.some((prefix) => request.url?.startsWith(prefix))) response.writeContinue()
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
