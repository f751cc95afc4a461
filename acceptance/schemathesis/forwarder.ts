/**
 * Stands between Schemathesis and the server as a proxy that the server trusts, and lets every
 * request come from an address of its own. Schemathesis sends far more requests without a valid key
 * than one address may in a minute; from one address it would see the refusal of the address, 429,
 * where it checks for 401. No check and no limit has to be loosened for that.
 */
import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import { listenOnLoopback } from '../harness/loopback.ts'

export interface Forwarder {
  readonly url: string
  readonly close: () => Promise<void>
}

export interface Forwarding {
  /** Whether each Idempotency-Key becomes one that was never used before. */
  readonly freshIdempotencyKeys: boolean
}

export async function forwardTo(serverUrl: string, forwarding: Forwarding): Promise<Forwarder> {
  const { hostname, port } = new URL(serverUrl)
  let senders = 0
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    senders += 1
    const headers = forwarding.freshIdempotencyKeys
      ? withFreshKey(incoming.rawHeaders)
      : incoming.rawHeaders
    const onward = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      setHost: false,
      headers: [...headers, 'X-Forwarded-For', address(senders)],
    })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    // An answer can come before the whole body was sent, and ends the connection then.
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  return {
    url: await listenOnLoopback(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The next of sixteen million addresses of a private network. */
const address = (sender: number): string =>
  `10.${(sender >> 16) & 255}.${(sender >> 8) & 255}.${sender & 255}`

/** Replaces a valid key; one that the server refuses stays. */
const withFreshKey = (headers: readonly string[]): string[] =>
  headers.map((text, index) => {
    const isKey = index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'idempotency-key'
    return isKey && /^[!-~]{1,255}$/.test(text) ? randomUUID() : text
  })
