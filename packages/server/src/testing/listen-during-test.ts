// A server that lives as long as the test that makes it.
import type { Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOnLoopback } from './listen-on-loopback.ts'

/** Its port. When the test has finished it ends, and whoever is connected to it is hung up on. */
export async function listenDuringTest(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  })
  const port = await listenOnLoopback(server)
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return port
}
