// The Expect header. Node would answer `100-continue` before anybody knows who is asking. Here every
// route that takes a body says so itself, when the body is about to be read: a refusal spares the
// body, and nobody has to guess from the address of a request where it will lead.
// decisions/2026-11-21-http-details.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Hands on what Node would answer by itself. */
export function answerExpectations(app: FastifyInstance): void {
  const { server } = app
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  // An expectation that nobody knows is no reason to refuse the request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** For a request that passed every check that its headers allow. */
export async function askForBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { headers, raw } = request
  const waits = /(^|\W)100-continue($|\W)/i.test(headers.expect ?? '')
  if (waits && raw.httpVersion === '1.1') reply.raw.writeContinue()
}
