// What a client leaves behind on its connection: requests that wait for their turn, and answers that
// wait to be taken. Neither costs the others more than a little memory.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { UNDER_WAY_MAX } from './exchanges.ts'

const SILENCE_MS = 500
/** Together more than the system keeps between two sockets. */
const ASKED = 60
const ENTITIES = 30

let service: TestService
let key: string
const { embedder, letGo } = heldEmbedder()
beforeAll(async () => {
  service = await runService({ embedder, timeouts: { answerSilenceMs: SILENCE_MS } })
  key = (await service.newKey()).key
  const call = apiClient(service.address, key)
  for (let name = 0; name < ENTITIES; name += 1) {
    await expectCreated(call, String(name))
  }
})
afterAll(() => service[Symbol.asyncDispose]())

async function expectCreated(call: Call, name: string): Promise<void> {
  const json = { name, type: 'PRODUCT', description: '漢'.repeat(4_000) }
  expect(await call('POST', '/v1/entities', { json })).toMatchObject({ status: 201 })
}

const livez = rawRequest('GET /livez', {})
const list = (headers: Record<string, string> = {}) =>
  rawRequest('GET /v1/entities?limit=100', { Authorization: `Bearer ${key}`, ...headers })
const lists = () => list().repeat(ASKED - 1) + list({ Connection: 'close' })
const LENGTH_OF_LISTS_MIN = ASKED * ENTITIES * 12_000

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname).pause()
  // A reset is one of the ways in which a connection ends.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Until the server has closed the connection. */
async function bytesTaken(socket: Socket, pauseMs = 0): Promise<number> {
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (pauseMs === 0) return
    socket.pause()
    setTimeout(() => socket.resume(), pauseMs)
  })
  socket.resume()
  await once(socket, 'close')
  return bytes
}

test('a client may ask ahead, and gets every answer', async () => {
  using connection = await RawConnection.open(service.address)
  await connection.send(livez.repeat(UNDER_WAY_MAX))
  for (let answer = 0; answer < UNDER_WAY_MAX; answer += 1) {
    expect(await connection.answer()).toMatchObject({ status: 200 })
  }
})

test('one that asks for thousands of answers at once loses the connection', async () => {
  const connection = await RawConnection.open(service.address)
  await connection.send(livez.repeat(1_500))
  const answers = (await connection.ended()).split('HTTP/1.1 ').length - 1
  expect(answers).toBeLessThanOrEqual(UNDER_WAY_MAX)
})

test('what it asks beyond what it may is not even begun', async () => {
  const own = await service.newKey()
  const asked = rawRequest('GET /v1/entities', { Authorization: `Bearer ${own.key}` })
  const connection = await RawConnection.open(service.address)
  await connection.send(asked.repeat(90))
  await connection.ended()
  const { headers } = await apiClient(service.address, own.key)('GET', '/v1/entities')
  const ofTheMinute = Number(headers.get('x-ratelimit-limit'))
  const left = Number(headers.get('x-ratelimit-remaining'))
  expect(ofTheMinute - left - 1).toBeLessThanOrEqual(UNDER_WAY_MAX)
})

test('a client may have as many bodies refused before they have arrived as it likes', async () => {
  using connection = await RawConnection.open(service.address)
  for (let body = 0; body <= UNDER_WAY_MAX; body += 1) {
    await connection.send(rawRequest('POST /nothing', { 'Content-Length': '4' }))
    expect(await connection.answer()).toMatchObject({ status: 404 })
    await connection.send('body')
  }
  await connection.send(livez)
  expect(await connection.answer()).toMatchObject({ status: 200 })
})

test('one that waits for an answer that is not made yet may wait longer', async () => {
  using connection = await RawConnection.open(service.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const memory = JSON.stringify({ content: 'c', userId: 'u' })
  await connection.send(rawRequest('POST /v1/memories', headers, memory))
  await sleep(1.5 * SILENCE_MS)
  letGo()
  expect(await connection.answer()).toMatchObject({ status: 201 })
})

test('one that takes nothing of its answers loses the connection, and the rest of them', async () => {
  const socket = await opened()
  socket.write(lists())
  await sleep(6 * SILENCE_MS)
  expect(await bytesTaken(socket)).toBeLessThan(LENGTH_OF_LISTS_MIN)
})

test('one that takes a little from time to time is served to the end', async () => {
  key = (await service.newKey()).key
  const call = apiClient(service.address, key)
  await expectCreated(call, 'one')
  const socket = await opened()
  socket.write(lists())
  expect(await bytesTaken(socket, 20)).toBeGreaterThan(ASKED * 12_000)
})
