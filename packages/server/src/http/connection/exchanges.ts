// What each connection has under way: requests still arriving, and requests not answered yet. Both are
// bounded, since answers stay in memory until the client takes them: a client may ask ahead, but not
// without end, and one that takes nothing of its answers for a minute loses the connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Far more than clients ask ahead. One read of a connection may bring thousands. */
export const UNDER_WAY_MAX = 64

const underWay = new WeakMap<Socket, Set<Exchange>>()

const patientWith = new WeakSet<IncomingMessage>()

/** For a body that may take as long as it likes: whoever reads it looks after silent senders. */
export function allowLongBody(request: IncomingMessage): void {
  patientWith.add(request)
}

export const isLongBody = (request: IncomingMessage): boolean => patientWith.has(request)

/** In the order in which the requests came. */
export const exchangesOf = (socket: Socket): Exchange[] => [...(underWay.get(socket) ?? [])]

export function trackExchanges(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: request }, reply) => {
    const { raw: response } = reply
    const exchanges = underWay.get(request.socket) ?? new Set()
    underWay.set(request.socket, exchanges)
    if (exchanges.size >= UNDER_WAY_MAX) {
      request.socket.destroy()
      // Nobody is left to answer, nor for what was read together with this one.
      reply.hijack()
      return
    }
    const exchange = { request, response }
    exchanges.add(exchange)
    const settle = (): void => {
      if (request.complete && response.closed) exchanges.delete(exchange)
    }
    request.once('close', settle)
    response.once('close', settle)
  })
}

/** Closes connections that are silent for so long while idle, or while an answer waits to be taken. */
export function hangUpOnSilence(app: FastifyInstance, silenceMs: number): void {
  // Node reports every connection on which no byte has moved, also those between two requests.
  app.server.setTimeout(silenceMs, (socket) => {
    if (exchangesOf(socket).length === 0 || socket.writableLength > 0) socket.destroy()
  })
}
