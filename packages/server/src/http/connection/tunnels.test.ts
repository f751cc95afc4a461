// There is no tunnel. Node lets go of a connection that asks for one: it is refused, watched and ended like
// any other all the same.
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const SILENCE_MS = 200
/** Together more than the system keeps between two sockets. */
const ANSWERS = rawRequest('GET /openapi.json', {}).repeat(60)
const CONNECT = rawRequest('CONNECT /v1/memories', {})

const service = await runService({ timeouts: { answerSilenceMs: SILENCE_MS } })
afterAll(() => service[Symbol.asyncDispose]())

/** Both ends of a new connection, and when the server's is closed. The client takes nothing by itself. */
async function opened({ address }: TestService) {
  const accepted = channel('net.server.socket')
  const { promise: server, resolve } = Promise.withResolvers<Socket>()
  const onSocket = (message: unknown): void => {
    const { socket } = Object(message)
    if (socket instanceof Socket) resolve(socket)
  }
  accepted.subscribe(onSocket)
  const { hostname, port } = new URL(address)
  const client = connect(Number(port), hostname).pause()
  // A reset is one of the ways in which a connection ends.
  client.on('error', () => undefined)
  const closed = new Promise((resolve) => server.then((socket) => socket.once('close', resolve)))
  await Promise.all([once(client, 'connect'), server])
  accepted.unsubscribe(onSocket)
  return { client, server: await server, closed }
}

test('CONNECT is refused in the documented shape', async () => {
  using connection = await RawConnection.open(service.address)
  await connection.send(CONNECT)
  const refusal = await connection.answer()
  expect(refusal.status).toBe(400)
  expect(JSON.parse(refusal.body).error.code).toBe('BAD_REQUEST')
  expect(refusal.headers.get('x-ratelimit-limit')).toBe('20')
})

test('a client that resets its connection behind a CONNECT ends nothing else', async () => {
  const { client, closed } = await opened(service)
  // Where nobody hears of it, this would end the process, and the run of the tests.
  const errors: unknown[] = []
  const hear = (error: unknown): void => void errors.push(error)
  process.prependOnceListener('uncaughtException', hear)
  client.write(CONNECT)
  await once(client.resume(), 'data')
  client.resetAndDestroy()
  await closed
  await new Promise(setImmediate)
  process.off('uncaughtException', hear)
  expect(errors).toEqual([])
})

test('one that takes nothing of its answers loses the connection, also with a CONNECT behind them', async () => {
  const { client, server, closed } = await opened(service)
  client.write(ANSWERS + CONNECT)
  await expect.poll(() => server.writableLength).toBeGreaterThan(0)
  await closed
})

test('it does not hold up a stop beyond the time for draining', async () => {
  await using running = await runService({ timeouts: { drainMs: 100 } })
  const { client, server, closed } = await opened(running)
  client.write(ANSWERS + CONNECT)
  await expect.poll(() => server.writableLength).toBeGreaterThan(0)
  await running.stop()
  await closed
})
