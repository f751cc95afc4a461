// Stopping: what is under way is answered, and a connection that has nothing under way is closed,
// at once or right after its last answer. Node by itself waits for clients to hang up, which a client
// with a connection pool does after minutes. Shortly before the end, what still waits for others is refused,
// so that its client is told so; whoever is too slow even then is cut off.
//
// A proxy sends the requests of many callers over its connections, and may just be sending one over the one that
// is closed: it cannot send a POST again, and its caller would get a 502. So those of a proxy stay for a while
// in which each ends with the next answer, and in which the proxy hears that no other request should come.
//
// What had arrived before the stop is under way too, also when a busy process had not read it yet:
// closing its connection, or the port behind which it waits, would answer it with a reset.
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { exchangesOf } from './exchanges.ts'

const IDLE_CHECK_INTERVAL_MS = 50
/** Clients that go on connecting must not keep the port open. */
const ARRIVED_READING_MS_MAX = 1_000
/** The part of the time for draining after which what waits is refused. The rest is for the answers. */
const REFUSING_FROM = 0.9

type Drain = {
  drainMs: number
  /** How long connections are kept that have nothing under way, for what their client may be sending. */
  idleMs: number
  /** Makes what is under way, and has not been done by then, end with an answer. */
  refuseWaiting: () => void
}

/** Returns whether the stop has begun. */
export function drainOnClose(
  app: FastifyInstance,
  { drainMs, idleMs, refuseWaiting }: Drain,
): () => boolean {
  const { server } = app
  const sockets = new Set<Socket>()
  let accepted = 0
  let draining = false
  let idleUntilMs = 0

  server.on('connection', (socket) => {
    accepted += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Node takes a connection for idle when its last answer is made, and the client may still take it. Which
  // ones it takes for idle it tells nobody, but it ends them by their `destroy`; so does the framework here.
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    if (performance.now() < idleUntilMs) return
    // Node counts a connection as busy until its first request was answered.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const busy = [...sockets].filter((socket) => exchangesOf(socket).length > 0)
    for (const socket of busy) socket.destroy = () => socket
    closeIdleConnections()
    for (const socket of busy) Reflect.deleteProperty(socket, 'destroy')
  }
  app.addHook('onSend', async ({ raw }, reply) => {
    // Behind an answer that ends the connection, Node sends no other one.
    const isLast = exchangesOf(raw.socket).at(-1)?.request === raw
    if (draining && isLast) reply.header('connection', 'close')
    else if (reply.raw.shouldKeepAlive && reply.hasHeader('connection')) {
      // The framework hangs up behind a body that could not be used, and behind each request that comes
      // while stopping. Node reads what is left of the body and goes on, while hanging up on a client that
      // still sends can lose it this answer, or those behind it. Where the header is removed, Node says
      // nothing at all, so this says what Node does.
      const seconds = Math.floor(server.keepAliveTimeout / 1_000)
      reply.headers({ connection: 'keep-alive', 'keep-alive': `timeout=${seconds}` })
    }
  })
  app.addHook('preClose', async () => {
    draining = true
    idleUntilMs = performance.now() + idleMs
    await readWhatHasArrived()
    const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS)
    const nearlyOver = setTimeout(refuseWaiting, drainMs * REFUSING_FROM)
    // Not those alone that Node knows: tunnels.ts.
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, drainMs)
    server.once('close', () => {
      clearInterval(idleCheck)
      clearTimeout(nearlyOver)
      clearTimeout(deadline)
    })
  })

  return () => draining

  async function readWhatHasArrived(): Promise<void> {
    const giveUpAtMs = performance.now() + ARRIVED_READING_MS_MAX
    let before: number
    do {
      before = accepted
      // One turn accepts connections, the next one reads from them.
      await nextTurn()
      await nextTurn()
    } while (accepted !== before && performance.now() < giveUpAtMs)
  }
}
