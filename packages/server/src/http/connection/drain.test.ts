// Stopping: what is under way is answered, everything else is closed, and nobody holds it up.
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const CONTENT = JSON.stringify({ content: 'c', userId: 'u' })
let service: TestService | undefined
afterEach(async () => {
  await service?.[Symbol.asyncDispose]()
  service = undefined
})

async function serviceWithRequestUnderWay(timeouts = {}) {
  const { embedder, begun, letGo: release } = heldEmbedder()
  const running = await runService({ embedder, timeouts })
  service = running
  const { key } = await running.newKey()
  const connection = await RawConnection.open(running.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  await connection.send(rawRequest('POST /v1/memories', headers, CONTENT))
  await expect.poll(begun).toBe(1)
  return { running, connection, release }
}

test('a request under way is answered, its connection then closed, and the stop ends', async () => {
  const { running, connection, release } = await serviceWithRequestUnderWay()
  const stopped = running.stop()
  release()
  const answer = await connection.answer()
  expect(answer.status).toBe(201)
  expect(answer.headers.get('connection')).toBe('close')
  expect(await connection.ended()).toBe('')
  await stopped
})

test('a request under way whose body cannot be used is told of the end as well', async () => {
  const { running, connection, release } = await serviceWithRequestUnderWay()
  const { key } = await running.newKey()
  const refused = await RawConnection.open(running.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const request = rawRequest('POST /v1/memories', headers, '{"content":')
  await refused.send(request.slice(0, -1))
  const other = await RawConnection.open(running.address)
  await other.send(rawRequest('GET /livez', {}))
  await other.answer()
  const stopped = running.stop()
  // The stop has begun when connections that wait are closed.
  await other.ended()
  await refused.send(request.slice(-1))
  const answer = await refused.answer()
  expect(answer.status).toBe(400)
  expect(answer.headers.get('connection')).toBe('close')
  expect(answer.headers.has('keep-alive')).toBe(false)
  expect(await refused.ended()).toBe('')
  release()
  await connection.answer()
  await stopped
})

test('requests sent ahead that are whole only after the stop began are all answered', async () => {
  const { running, connection, release } = await serviceWithRequestUnderWay()
  const { key } = await running.newKey()
  const late = await RawConnection.open(running.address)
  const list = rawRequest('GET /v1/entities', { Authorization: `Bearer ${key}` })
  await late.send(list.slice(0, -1))
  const other = await RawConnection.open(running.address)
  await other.send(rawRequest('GET /livez', {}))
  await other.answer()
  const stopped = running.stop()
  await other.ended()
  await late.send(list.slice(-1) + list)
  const ends = [await late.answer(), await late.answer()].map(({ headers }) =>
    headers.get('connection'),
  )
  expect(ends).toEqual(['keep-alive', 'close'])
  release()
  await connection.answer()
  await stopped
})

test('new connections are refused while the last request is still answered', async () => {
  const { running, connection, release } = await serviceWithRequestUnderWay()
  const stopped = running.stop()
  await expect
    .poll(() =>
      RawConnection.open(running.address).then(
        () => 'accepted',
        (error: unknown) => Object(error).code,
      ),
    )
    .toBe('ECONNREFUSED')
  release()
  expect(await connection.answer()).toMatchObject({ status: 201 })
  await stopped
})

test('requests that were sent ahead are all answered, the last of them with the end', async () => {
  const { embedder, begun, letGo } = heldEmbedder()
  const running = await runService({ embedder })
  service = running
  const { key } = await running.newKey()
  const connection = await RawConnection.open(running.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const create = rawRequest('POST /v1/memories', headers, CONTENT)
  await connection.send(create + rawRequest('GET /v1/entities', headers) + create)
  await expect.poll(begun).toBe(2)
  const stopped = running.stop()
  letGo()
  const answers = [await connection.answer(), await connection.answer(), await connection.answer()]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201])
  const ends = answers.map((answer) => answer.headers.get('connection'))
  expect(ends).toEqual(['keep-alive', 'keep-alive', 'close'])
  expect(await connection.ended()).toBe('')
  await stopped
})

test('a request that began before the stop and is whole after it is served', async () => {
  const { running, connection, release } = await serviceWithRequestUnderWay()
  const late = await RawConnection.open(running.address)
  await late.send('GET /livez HTTP/1.1\r\nHost: x\r\n')
  const other = await RawConnection.open(running.address)
  await other.send(rawRequest('GET /livez', {}))
  await other.answer()
  const stopped = running.stop()
  // The stop has begun when connections that wait are closed.
  await other.ended()
  await late.send('\r\n')
  expect(await late.answer()).toMatchObject({ status: 200 })
  expect(await late.ended()).toBe('')
  release()
  await connection.answer()
  await stopped
})

test('requests that had arrived when the stop began are served, although none was read yet', async () => {
  const running = await runService()
  service = running
  const open = () => RawConnection.open(running.address)
  const kept = await open()
  await kept.send(rawRequest('GET /livez', {}))
  await kept.answer()
  const connections = [kept, ...(await Promise.all(Array.from({ length: 20 }, open)))]
  // The server is in this very thread: it reads nothing before the stop has begun.
  for (const connection of connections) void connection.send(rawRequest('GET /livez', {}))
  const stopped = running.stop()
  const answers = await Promise.all(connections.map((connection) => connection.answer()))
  expect(answers.map(({ status }) => status)).toEqual(connections.map(() => 200))
  expect(new Set(answers.map(({ headers }) => headers.get('connection')))).toEqual(
    new Set(['close']),
  )
  await stopped
})

test('answers that the client still takes when the stop begins are not cut off', async () => {
  const running = await runService()
  service = running
  const { hostname, port } = new URL(running.address)
  const socket = connect(Number(port), hostname).pause()
  await once(socket, 'connect')
  // Together more than the system keeps between two sockets.
  socket.write(rawRequest('GET /openapi.json', {}).repeat(60))
  const other = await RawConnection.open(running.address)
  await other.send(rawRequest('GET /openapi.json', {}))
  await other.answer()
  const stopped = running.stop()
  await other.ended()
  const taken: Buffer[] = []
  socket.on('data', (bytes) => taken.push(bytes)).resume()
  await once(socket, 'close')
  const answers = Buffer.concat(taken).toString().split('HTTP/1.1 200 OK').slice(1)
  expect(answers).toHaveLength(60)
  expect(answers.at(-1)).toMatch(/\}$/)
  await stopped
})

/** So patient that a test which relied on them would never end. */
const PATIENT = {
  headersMs: 200_000,
  requestMs: 200_000,
  keepAliveMs: 200_000,
  drainMs: 200_000,
  proxyIdleMs: 200_000,
}

test('a connection whose refused body still arrives is closed when it is through', async () => {
  const running = await runService({ timeouts: PATIENT })
  service = running
  const connection = await RawConnection.open(running.address)
  await connection.send(rawRequest('POST /v1/memories', { 'Content-Length': '4' }))
  expect(await connection.answer()).toMatchObject({ status: 401 })
  const stopped = running.stop()
  await connection.send('body')
  expect(await connection.ended()).toBe('')
  await stopped
})

test('connections that wait, before or between requests, do not hold up the stop', async () => {
  const running = await runService({ timeouts: PATIENT })
  service = running
  const fresh = await RawConnection.open(running.address)
  const between = await RawConnection.open(running.address)
  await between.send(rawRequest('GET /livez', {}))
  expect(await between.answer()).toMatchObject({ status: 200 })
  await running.stop()
  expect(await fresh.ended()).toBe('')
  expect(await between.ended()).toBe('')
})

describe('behind a proxy, which may be sending over a connection that waits', () => {
  const settings = { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' }

  /** Between two requests. */
  async function keptConnection({ address }: TestService): Promise<RawConnection> {
    const connection = await RawConnection.open(address)
    await connection.send(rawRequest('GET /livez', {}))
    await connection.answer()
    return connection
  }

  test('each connection has one more answer, and nothing new should be sent', async () => {
    const running = await runService({ settings, timeouts: PATIENT })
    service = running
    const { key } = await running.newKey()
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const create = rawRequest('POST /v1/memories', headers, CONTENT)
    const fresh = await RawConnection.open(running.address)
    const [kept, probing] = [await keptConnection(running), await keptConnection(running)]
    const stopped = running.stop()
    await probing.send(rawRequest('GET /readyz', {}))
    const { status, body } = await probing.answer()
    expect([status, JSON.parse(body)]).toMatchObject([503, { status: 'stopping' }])
    for (const connection of [fresh, kept]) {
      await connection.send(create)
      const answer = await connection.answer()
      expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close'])
      expect(await connection.ended()).toBe('')
    }
    // Nobody is waited for any more.
    await stopped
  })

  test('connections over which nothing comes are closed a while later', async () => {
    const running = await runService({ settings, timeouts: { ...PATIENT, proxyIdleMs: 50 } })
    service = running
    const [fresh, kept] = [await RawConnection.open(running.address), await keptConnection(running)]
    await running.stop()
    expect([await fresh.ended(), await kept.ended()]).toEqual(['', ''])
  })
})

test('a client that never finishes its request is cut off when the time for draining is over', async () => {
  const running = await runService({ timeouts: { drainMs: 100 } })
  service = running
  const connection = await RawConnection.open(running.address)
  await connection.send('POST /v1/memories HTTP/1.1\r\nHost: x\r\n')
  // The server has seen it once another connection was served.
  const other = await RawConnection.open(running.address)
  await other.send(rawRequest('GET /livez', {}))
  await other.answer()
  await running.stop()
  expect(await connection.ended()).toBe('')
})

test('what still waits for the model when the time for draining is nearly over is refused, and told so', async () => {
  const { running, connection } = await serviceWithRequestUnderWay({ drainMs: 1_000 })
  const stopped = running.stop()
  const answer = await connection.answer()
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.headers.get('connection')).toBe('close')
  expect(await connection.ended()).toBe('')
  await stopped
})

test('clients that go on connecting do not hold up the stop for longer than a second', async () => {
  const running = await runService({ timeouts: PATIENT })
  service = running
  const { hostname, port } = new URL(running.address)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  let isOver = false
  let knocked = 0
  onTestFinished(() => {
    isOver = true
    clock.mockRestore()
  })
  const knocking = (async () => {
    for (; !isOver; knocked += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).once('connect', () => socket.destroy())
      await nextTurn()
    }
  })()
  const stopped = running.stop()
  await expect.poll(() => knocked).toBeGreaterThan(100)
  clock.mockReturnValue(1_000)
  await stopped
  isOver = true
  await knocking
})

test('a connection that is over leaves nothing in memory', async () => {
  const running = await runService()
  service = running
  const sockets: WeakRef<object>[] = []
  const onSocket = (message: unknown): void =>
    void sockets.push(new WeakRef(Object(message).socket))
  const accepted = channel('net.server.socket')
  accepted.subscribe(onSocket)
  for (let opened = 0; opened < 50; opened += 1) {
    const connection = await RawConnection.open(running.address)
    await connection.send(rawRequest('GET /livez', { Connection: 'close' }))
    await connection.ended()
  }
  accepted.unsubscribe(onSocket)
  expect(sockets).toHaveLength(50)
  const left = () => {
    collectGarbage()
    return sockets.filter((socket) => socket.deref() !== undefined).length
  }
  // What was used last may be at hand for the next one.
  await expect.poll(left).toBeLessThan(5)
})

test('stopping twice is stopping once', async () => {
  const running = await runService()
  service = running
  await Promise.all([running.stop(), running.stop()])
  await running.stop()
})
