import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { expectTaken, hangUpLater } from './slow-readers.ts'

/** Far more than a connection holds on its way. */
const ANSWER_BYTES = 64 * 1024 * 1024
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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
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
  const { client } = await answeredClient()
  let bytes = 0
  client.on('data', (chunk) => {
    bytes += chunk.length
  })
  client.resume()
  await once(client, 'end')
  expect(bytes).toBeGreaterThan(ANSWER_BYTES)
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
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
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

test('a client that still sends is not hung up on, though it will ask nothing more', async () => {
  server = createServer((body, answer) => {
    hangUpLater(body, answer)
    answer.end('enough')
  }).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 10 * 60 * 1000
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  let told = ''
  client.on('data', (bytes) => {
    told += bytes
  })
  client.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n\r\n1')
  await vi.waitFor(() => expect(told).toContain('enough'))
  await sleep(TIMEOUT_MS)
  expect(client.readableEnded).toBe(false)
  // As soon as it has sent all, it is.
  client.write('23456789')
  await once(client, 'end')
  client.destroy()
})
