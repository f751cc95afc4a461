// The end of a connection whose client may still send. To hang up at once could cost it the end of its answer:
// so what it sends is read for a while longer, and ignored.
import type { Socket } from 'node:net'

/** For a client to read its last answer, and to hang up. */
export const LINGER_MS = 5_000

/** From now on nothing that arrives reaches a request, not even one that waits for the rest of its body. */
export function hearNoMore(socket: Socket): void {
  // It is paused where nobody read a body. The parser is what resumes it, in the next tick, so it is let go after.
  socket.resume()
  process.nextTick(() => {
    // Node's parser gives a socket back as soon as somebody else listens.
    socket.removeAllListeners('data').on('data', () => undefined)
  })
}

/** The last words. A client that does not hang up itself cannot keep the connection. */
export function endSoon(socket: Socket, message: string): void {
  socket.end(message)
  const linger = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(linger))
}
