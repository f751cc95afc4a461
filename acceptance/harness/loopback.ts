/** Starts a case's own server, such as one that embeds, on a free port of the loopback address. */
import { once } from 'node:events'
import type { Server } from 'node:http'

/** Resolves to the server's URL. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}`
}
