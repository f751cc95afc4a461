// Node hands over a CONNECT as a bare socket, past all routes, and lets go of it: no listener of its own hears
// an error or a silence any more, and it is in no list of connections. A client may do that behind requests
// that are still answered, and then reset the connection, or take nothing.
import type { FastifyInstance } from 'fastify'
import type { AnswerClientError } from './client-error.ts'

/** Answers a CONNECT as what is no HTTP is. */
export function refuseTunnels({ server }: FastifyInstance, answer: AnswerClientError): void {
  server.on('connect', ({ socket }) => {
    // An error that nobody hears ends the process.
    socket.on('error', () => undefined)
    socket.on('timeout', () => server.emit('timeout', socket))
    answer(new Error('There is no tunnel.'), socket)
  })
}
