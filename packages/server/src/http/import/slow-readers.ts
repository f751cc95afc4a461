// Clients of an import that do not take their answers, or that go on sending after the last of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LINGER_MS } from '../connection/linger.ts'

/** Hands the answers on. `onStall` is called when nobody asks for the next one for so long. */
export async function* untilTaken(
  answers: AsyncGenerator<string, void>,
  timeoutMs: number,
  onStall: () => void,
): AsyncGenerator<string, void> {
  for await (const answer of answers) {
    const stall = setTimeout(onStall, timeoutMs)
    try {
      yield answer
    } finally {
      clearTimeout(stall)
    }
  }
}

/**
 * For an answer that is complete but not yet taken: hangs up on a client that takes nothing of it for
 * `timeoutMs`. Nothing else watches such a client, since the import itself is over.
 */
export function expectTaken(
  body: IncomingMessage,
  answer: ServerResponse,
  timeoutMs: number,
): void {
  // An answer also ends because its client has left, and then there is no event to come.
  if (body.socket.destroyed || answer.writableFinished) return
  let before = body.socket.bytesWritten
  const look = setInterval(() => {
    // What waits for the client is written only when it has taken what came before. To destroy the body
    // would leave the connection open: it was read to its end.
    if (body.socket.bytesWritten === before) body.socket.destroy()
    before = body.socket.bytesWritten
  }, timeoutMs)
  answer.once('finish', () => clearInterval(look)).once('close', () => clearInterval(look))
}

/** A client that goes on sending, though all is answered, gets some time to come to its end. */
export function hangUpLater(body: IncomingMessage, answer: ServerResponse): void {
  answer.once('finish', () => {
    if (body.complete) return
    const linger = setTimeout(() => body.socket.destroy(), LINGER_MS)
    body.once('close', () => clearTimeout(linger))
    body.resume()
  })
}
