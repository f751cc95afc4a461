// Node's parser also reads requests of RTSP, with methods that it does not name and no router takes. The
// framework would call that a fault of its own, and write all of its routes into the log, which takes longer
// than most requests. They are refused like what is not HTTP, and nothing behind them on the connection is done.
import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { AnswerClientError } from './client-error.ts'

export function refuseForeignMethods(app: FastifyInstance, answer: AnswerClientError): void {
  const refused = new WeakSet<Socket>()
  const route = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket, method = '' } = request
    // One read may have brought more requests.
    if (refused.has(socket)) return
    if (METHODS.includes(method)) {
      app.routing(request, response)
    } else {
      refused.add(socket)
      answer(new Error('This is not HTTP.'), socket)
    }
  }
  app.server.removeAllListeners('request').on('request', route)
}
