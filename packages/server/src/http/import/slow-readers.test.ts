// Who takes nothing of an answer that has ended is hung up on, and nobody else is. Connections are real and
// are filled until the system takes no more: a server learns no sooner that nobody reads.
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { IMPORT_MEDIA_TYPE, IMPORT_PATH } from '../../contract/import.ts'
import { importAll } from '../../testing/import-client.ts'
import { listenOnLoopback } from '../../testing/listen-on-loopback.ts'
import { rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'
import { LINGER_MS } from '../connection/linger.ts'
import { expectTaken, hangUpLater } from './slow-readers.ts'

/** Far more than a connection holds on its way. */
const ANSWER_BYTES = 64 * 1024 * 1024
/** More than a connection holds on its way. */
const TAKEN_BETWEEN_LOOKS_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 200

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A client of a server whose answer has ended as soon as it has begun. */
async function answeredClient(): Promise<{ client: Socket; hungUp: Promise<unknown> }> {
  const gone = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  server = createServer((body, answer) => {
    body.socket.once('close', () => gone.resolve())
    function* pieces(): Generator<Buffer> {
      const piece = Buffer.alloc(16 * 1024)
      for (let sent = 0; sent < ANSWER_BYTES; sent += piece.length) yield piece
      expectTaken(body, answer, TIMEOUT_MS)
      ended.resolve()
    }
    Readable.from(pieces(), { objectMode: false, highWaterMark: ANSWER_BYTES }).pipe(answer)
  })
  const port = await listenOnLoopback(server)
  const client = connect(port, '127.0.0.1')
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await ended.promise
  return { client, hungUp: gone.promise }
}

test('who takes nothing of an answer that has ended is hung up on', async () => {
  const { client, hungUp } = await answeredClient()
  await hungUp
  client.destroy()
})

test('who takes it gets all of it', async () => {
  // Looked after each time that the client has taken so much, however busy the machine is.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { client } = await answeredClient()
    let bytes = 0
    let looks = 0
    client.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes < (looks + 1) * TAKEN_BETWEEN_LOOKS_BYTES) return
      looks += 1
      vi.advanceTimersByTime(TIMEOUT_MS)
    })
    client.resume()
    await once(client, 'end')
    expect(bytes).toBeGreaterThan(ANSWER_BYTES)
    expect(looks).toBeGreaterThan(2)
  } finally {
    vi.useRealTimers()
  }
})

/** On which nobody reads. */
async function importOf(key: string, address: string): Promise<[client: Socket, served: Socket]> {
  const served = Promise.withResolvers<Socket>()
  const onSocket = (message: unknown): void => served.resolve(Object(message).socket)
  const accepted = channel('net.server.socket')
  accepted.subscribe(onSocket)
  const { hostname, port } = new URL(address)
  const client = connect(Number(port), hostname).pause()
  client.on('error', () => undefined)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': IMPORT_MEDIA_TYPE }
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' }
  client.write(rawRequest(`POST ${IMPORT_PATH}`, chunked))
  return [client, await served.promise.finally(() => accepted.unsubscribe(onSocket))]
}

test('an import whose client does not take the end of its answer is hung up on', async () => {
  const silences = { importSilenceMs: 2_000, answerSilenceMs: 200_000, requestMs: 200_000 }
  await using service = await runService({ timeouts: silences })
  const { key } = await service.newKey()
  const [refusal] = await importAll(service.address, key, 'x\n')
  const [client, served] = await importOf(key, service.address)
  const send = (lines: string) => client.write(`${lines.length.toString(16)}\r\n${lines}\r\n`)
  // A stream of refused lines alone would be ended.
  send('{"content":"c","userId":"u"}\n')
  while (served.bytesWritten === 0) await nextTurn()
  // Few enough for the last of them to wait in the connection alone.
  const lines = 'x\n'.repeat(300)
  const answerBytes = 300 * JSON.stringify(refusal).length
  // Until the system takes no more, which it would when somebody read.
  while (served.writableLength === 0) {
    const before = served.bytesWritten
    send(lines)
    while (served.bytesWritten - before < answerBytes) await nextTurn()
    await nextTurn()
    if (served.writableLength > 0) await sleep(50)
  }
  const hungUp = once(served, 'close')
  client.write('0\r\n\r\n')
  await hungUp
  client.destroy()
})

test('for a client that has left nothing goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const timers = Promise.withResolvers<number>()
    server = createServer((body, answer) => {
      answer.write('begun')
      answer.once('close', () => {
        expectTaken(body, answer, TIMEOUT_MS)
        timers.resolve(vi.getTimerCount())
      })
    })
    const port = await listenOnLoopback(server)
    const client = connect(port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const before = vi.getTimerCount()
    await once(client, 'data')
    client.destroy()
    expect(await timers.promise).toBe(before)
  } finally {
    vi.useRealTimers()
  }
})

test('a client that never comes to the end of what it sends is hung up on after some seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const answered = Promise.withResolvers<void>()
    server = createServer((body, answer) => {
      hangUpLater(body, answer)
      answer.end('enough', answered.resolve)
    })
    server.keepAliveTimeout = 10 * 60 * 1000
    const port = await listenOnLoopback(server)
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    const hungUp = once(client, 'close')
    client.resume()
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1')
    await answered.promise
    vi.advanceTimersByTime(LINGER_MS)
    await hungUp
  } finally {
    vi.useRealTimers()
  }
})
