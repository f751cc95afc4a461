// What nobody is going to read costs nobody anything: the server takes no more of it than it takes to
// answer politely.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
/** What the system keeps on the way between two sockets, and some more. */
const ON_THE_WAY_MAX = 32 * MIB
const BLOCK = Buffer.alloc(MIB / 4, 'x')
const JSON_BODY = { 'Content-Type': 'application/json' }

const service = await runService()
const key = (await service.newKey()).key
afterAll(() => service[Symbol.asyncDispose]())

const endless = { 'Content-Length': String(10_000 * MIB) }
const chunked = { 'Transfer-Encoding': 'chunked' }
const CHUNK = Buffer.concat([Buffer.from('40000\r\n'), BLOCK, Buffer.from('\r\n')])

/** Sends until nobody takes it any more. Returns how many bytes were taken. */
async function sendAll(connection: RawConnection, block: Buffer): Promise<number> {
  let isOver = false
  void connection.ended().then(() => {
    isOver = true
  })
  let sent = 0
  while (!isOver && sent <= ON_THE_WAY_MAX) {
    await connection.send(block)
    sent += block.length
    // The end of the connection is seen between two turns alone.
    await nextTurn()
  }
  return sent
}

test.each<[name: string, path: string, status: number, headers: object, block: Buffer]>([
  ['without a key', '/v1/memories', 401, endless, BLOCK],
  ['without a key, of unknown length', '/v1/memories', 401, chunked, CHUNK],
  ['without a key, of an import', '/import/memories', 401, chunked, CHUNK],
  ['at an unknown path', '/nothing', 404, endless, BLOCK],
])(
  'a body %s is not taken for long after the answer',
  async (_name, path, status, headers, block) => {
    const connection = await RawConnection.open(service.address)
    await connection.send(rawRequest(`POST ${path}`, { ...JSON_BODY, ...headers }))
    expect(await connection.answer()).toMatchObject({ status })
    expect(await sendAll(connection, block)).toBeLessThan(ON_THE_WAY_MAX)
  },
)

test('the same holds for a body with a valid key that is too large', async () => {
  const connection = await RawConnection.open(service.address)
  const headers = { Authorization: `Bearer ${key}`, ...JSON_BODY, ...chunked }
  await connection.send(rawRequest('POST /v1/memories', headers))
  expect(await sendAll(connection, CHUNK)).toBeLessThan(ON_THE_WAY_MAX)
  expect(await connection.ended()).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([3, 10])(
  'a client that sends %i MiB before it reads hears that it is too much',
  async (mebibytes) => {
    using connection = await RawConnection.open(service.address)
    const headers = { Authorization: `Bearer ${key}`, ...JSON_BODY }
    const body = 'x'.repeat(mebibytes * MIB)
    await connection.send(rawRequest('POST /v1/memories', headers, body))
    expect(await connection.answer()).toMatchObject({ status: 413 })
    await connection.send(rawRequest('GET /livez', {}))
    expect(await connection.answer()).toMatchObject({ status: 200 })
  },
)

const WRONG_LINES = Buffer.from('x\n'.repeat(BLOCK.length / 2))
test.each([
  ['a create without a key', '/v1/memories', 'application/json', BLOCK, 401, 'UNAUTHORIZED'],
  [
    'an import without a key',
    '/import/memories',
    'application/x-ndjson',
    BLOCK,
    401,
    'UNAUTHORIZED',
  ],
  ['an import of junk', '/import/memories', 'application/x-ndjson', WRONG_LINES, 200, '"stopped"'],
])(
  'whoever asks for no other answer is told all of it while %s is still sent',
  async (_name, path, type, block, status, said) => {
    const connection = await RawConnection.open(service.address)
    const headers = { 'Content-Type': type, Connection: 'close', ...chunked }
    const authorization = status === 200 ? { Authorization: `Bearer ${key}` } : {}
    await connection.send(rawRequest(`POST ${path}`, { ...headers, ...authorization }))
    for (let blocks = 0; blocks < 20; blocks += 1) {
      await connection.send(Buffer.concat([Buffer.from('40000\r\n'), block, Buffer.from('\r\n')]))
      await nextTurn()
    }
    await connection.send('0\r\n\r\n')
    const answer = await connection.ended()
    expect(answer.slice(0, 15)).toMatch(`HTTP/1.1 ${status}`)
    expect(answer).toContain('\r\nConnection: close\r\n')
    expect(answer.slice(-1_000)).toContain(said)
  },
)

test('a refused body of an allowed size leaves the connection as it was', async () => {
  using connection = await RawConnection.open(service.address)
  const body = 'x'.repeat(MIB)
  await connection.send(rawRequest('POST /v1/memories', JSON_BODY, body))
  expect(await connection.answer()).toMatchObject({ status: 401 })
  await connection.send(rawRequest('GET /livez', {}))
  expect(await connection.answer()).toMatchObject({ status: 200 })
})
