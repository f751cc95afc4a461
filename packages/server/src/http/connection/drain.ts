// Stopping: what is under way is answered, and a connection that has nothing under way is closed,
// at once or right after its answer. Node by itself waits for clients to hang up, which a client
// with a connection pool does after minutes. Whoever is too slow is cut off in the end.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const IDLE_CHECK_INTERVAL_MS = 50

export function drainOnClose(app: FastifyInstance, drainTimeoutMs: number): void {
  const { server } = app
  const sockets = new Set<Socket>()
  let draining = false

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    draining = true
    // Node counts a connection as busy until its first request was answered.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS)
    const deadline = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
    server.once('close', () => {
      clearInterval(idleCheck)
      clearTimeout(deadline)
    })
  })
}
