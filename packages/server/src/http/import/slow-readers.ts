// Clients of an import that do not take their answers, or go on sending when theirs has ended.
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
 * For an answer that has ended, of which the client has not taken all: hangs up when it takes nothing more
 * for so long. Nobody else would, since nothing is left to wait for.
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
    // What waits for the client is written only when it has taken what came before.
    if (body.socket.bytesWritten === before) body.destroy()
    before = body.socket.bytesWritten
  }, timeoutMs)
  answer.once('finish', () => clearInterval(look)).once('close', () => clearInterval(look))
}

/**
 * To hang up at once on a client that sends would lose it the end of its answer. Node would, on one that
 * has said that it asks nothing more.
 */
export function hangUpLater(body: IncomingMessage, answer: ServerResponse): void {
  answer.shouldKeepAlive = true
  answer.once('finish', () => {
    if (body.complete) return
    const linger = setTimeout(() => body.socket.destroy(), LINGER_MS)
    body.once('close', () => clearTimeout(linger))
    body.resume()
  })
}
