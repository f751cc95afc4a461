// A port of loopback for a program that cannot take one by itself and tell which.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { listenOnLoopback } from './listen-on-loopback.ts'

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  server.close()
  await once(server, 'close')
  return port
}
