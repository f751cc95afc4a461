/** A server of a case on a free port of loopback, such as one that embeds. */
import { once } from 'node:events'
import type { Server } from 'node:http'

/** Its address. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}`
}
