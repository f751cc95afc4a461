// Clients that are too slow are cut off, with an answer where one is still due.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { IMPORT_MEDIA_TYPE } from '../../contract/import.ts'
import { apiClient } from '../../testing/api-client.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024

const logged: string[] = []
const { embedder, letGo } = heldEmbedder()
const service = await runService({
  embedder,
  timeouts: { headersMs: 500, requestMs: 1_000, checkIntervalMs: 50, keepAliveMs: 500 },
  settings: { MNEMOGRAPH_LOG_LEVEL: 'info' },
  logTo: { write: (line) => logged.push(line) },
})
const { key } = await service.newKey()
const bearer = { Authorization: `Bearer ${key}` }
afterAll(() => service[Symbol.asyncDispose]())

const open = () => RawConnection.open(service.address)
const body = { ...{ 'Content-Type': 'application/json' }, 'Content-Length': '30' }

test.each([
  ['the request line', 'GET /v1/mem'],
  ['the headers', 'GET /v1/memories HTTP/1.1\r\nHost: x\r\n'],
])('a client that never finishes %s gets 408 in the documented shape', async (_, text) => {
  const connection = await open()
  await connection.send(text)
  const answer = await connection.answer()
  expect(answer.status).toBe(408)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'REQUEST_TIMEOUT' } })
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  expect(answer.headers.get('x-ratelimit-limit')).toBe('20')
  expect(await connection.ended()).toBe('')
})

test('a client that never finishes its body gets 408, once, and nothing is stored', async () => {
  const connection = await open()
  await connection.send(rawRequest('POST /v1/memories', { ...bearer, ...body }))
  await connection.send('{"content":"half')
  expect(await connection.answer()).toMatchObject({ status: 408 })
  expect(await connection.ended()).toBe('')
  const call = apiClient(service.address, bearer.Authorization.slice('Bearer '.length))
  expect((await call('GET', '/v1/memories')).body).toMatchObject({ pagination: { total: 0 } })
})

test('what comes after a 408 is not done after all, and who does not hang up is hung up on', async () => {
  const { hostname, port } = new URL(service.address)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  // A reset is one of the ways in which a connection ends.
  socket.on('error', () => undefined)
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  const entity = JSON.stringify({ name: 'Late', type: 'PERSON' })
  const headers = { ...bearer, ...body, 'Content-Length': String(entity.length) }
  socket.write(rawRequest('POST /v1/entities', headers) + entity.slice(0, 10))
  await once(socket, 'end')
  expect(received).toContain('408 Request Timeout')
  socket.write(entity.slice(10))
  const sending = setInterval(() => socket.write(' '), 100)
  await new Promise((closed) => socket.once('close', closed))
  clearInterval(sending)
  const call = apiClient(service.address, bearer.Authorization.slice('Bearer '.length))
  expect((await call('GET', '/v1/entities')).body).toMatchObject({ pagination: { total: 0 } })
})

test('what a client still sends behind its 408 is taken from it, also when nobody had read its body', async () => {
  const { hostname, port } = new URL(service.address)
  const headers = { ...bearer, ...body, 'Content-Length': String(MIB) }
  const sendLong = (): Socket => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => undefined).resume()
    socket.write(rawRequest('POST /v1/memories', headers))
    return socket
  }
  // As many as one caller can have on their way, so that the next one stays unread.
  const stalled = Array.from({ length: 64 }, sendLong)
  const unread = sendLong()
  unread.write(Buffer.alloc(MIB, ' '))
  await once(unread, 'end')
  // More than the system keeps for a server that does not read.
  const failure = await new Promise((taken) => unread.write(Buffer.alloc(16 * MIB), taken))
  expect(failure).toBeFalsy()
  for (const socket of [...stalled, unread]) socket.destroy()
})

test('whoever was let take long over an import is not over the next request', async () => {
  const connection = await open()
  const lines = { ...bearer, 'Content-Type': IMPORT_MEDIA_TYPE }
  await connection.send(rawRequest('POST /import/memories', lines, '\n'))
  expect(await connection.answer()).toMatchObject({ status: 200 })
  // Behind the head of the import come its chunks, up to an empty line like that of a head.
  await connection.answer()
  await connection.send('GET /v1/mem')
  expect(await connection.answer()).toMatchObject({ status: 408 })
  expect(await connection.ended()).toBe('')
})

test('nor is one over what it sends behind an import that is whole and not answered yet', async () => {
  const connection = await open()
  const lines = { ...bearer, 'Content-Type': IMPORT_MEDIA_TYPE }
  const line = JSON.stringify({ content: 'c', userId: 'u' })
  await connection.send(`${rawRequest('POST /import/memories', lines, line)}GET /v1/mem`)
  await new Promise((resolve) => setTimeout(resolve, 700))
  letGo()
  const answers = await connection.ended()
  expect(answers).toContain('"created":1')
  expect(answers).toContain('408 Request Timeout')
})

test('a client that was refused and still sends is cut off without a second answer', async () => {
  const connection = await open()
  await connection.send(rawRequest('POST /v1/memories', body))
  await connection.send('{"content":"half')
  expect(await connection.answer()).toMatchObject({ status: 401 })
  expect(await connection.ended()).toBe('')
})

test('a connection that waits for its next request too long is closed without a word', async () => {
  const connection = await open()
  await connection.send(rawRequest('GET /v1/entities', bearer))
  expect(await connection.answer()).toMatchObject({ status: 200 })
  expect(await connection.ended()).toBe('')
})

test('a client that hangs up in the middle of its body is no fault of ours', async () => {
  logged.length = 0
  const connection = await open()
  await connection.send(rawRequest('POST /v1/memories', { ...bearer, ...body }))
  await connection.send('{"content":"half')
  connection.close()
  for (const _round of [1, 2, 3]) await apiClient(service.address)('GET', '/v1/entities')
  await expect.poll(() => logged.join('')).toContain('/v1/entities')
  expect(logged.join('')).not.toContain('INTERNAL_ERROR')
})

test('nor is one that hangs up before the first answer of its import, all of which it had sent', async () => {
  const model = heldEmbedder()
  const lines: string[] = []
  const logTo = { write: (line: string) => lines.push(line) }
  const settings = { MNEMOGRAPH_LOG_LEVEL: 'warn' }
  await using running = await runService({ embedder: model.embedder, logTo, settings })
  const { key } = await running.newKey()
  const connection = await RawConnection.open(running.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': IMPORT_MEDIA_TYPE }
  const line = JSON.stringify({ content: 'held', userId: 'u' })
  await connection.send(rawRequest('POST /import/memories', headers, line))
  await expect.poll(model.begun).toBe(1)
  connection.close()
  model.letGo()
  const client = apiClient(running.address)
  await expect
    .poll(async () => (await client('GET', '/metrics')).text)
    .toContain('mnemograph_import_streams 0')
  expect(lines).toEqual([])
})
