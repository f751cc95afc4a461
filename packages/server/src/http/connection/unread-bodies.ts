// A request can be refused while its body is still on the way: without a valid key nobody reads it. What
// arrives after the answer is thrown away: so the connection can be used again, and a client that sends all
// before it reads, as many do, hears why, also one that asked for no other answer on the connection. But not
// without end: whoever sends far too much loses the connection.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { BODY_BYTES_MAX } from '../../contract/bounds.ts'
import { endSoon } from './linger.ts'

/** A file that somebody took for one memory. To throw it away takes some milliseconds. */
const UNREAD_BYTES_MAX = 16 * BODY_BYTES_MAX

export function limitUnreadBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: request }, { raw: response }) => {
    if (request.complete) return
    // Before `finish`, with which Node begins to throw away what nobody reads, without an end.
    response.once('prefinish', () => {
      if (request.complete) return
      hearOutBeforeTheEnd(request)
      let unread = 0
      request.on('data', (chunk: Buffer) => {
        unread += chunk.length
        if (unread > UNREAD_BYTES_MAX) request.socket.destroy()
      })
    })
  })
}

/**
 * Behind an answer that ends the connection Node hangs up at once. Where the client has sent more by then, the
 * system resets the connection, and the answer can be lost.
 */
function hearOutBeforeTheEnd(request: IncomingMessage): void {
  const { socket } = request
  // By this Node hangs up, and only then is it known that it does.
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (request.complete) {
      socket.destroySoon()
    } else {
      request.once('end', () => socket.destroySoon())
      endSoon(socket, '')
    }
  }
}
