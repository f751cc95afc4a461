// What goes over one connection: large bodies, several requests at once, broken HTTP.
import { afterAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
const JSON_BODY = { 'Content-Type': 'application/json' }
const CONTENT = JSON.stringify({ content: 'c', userId: 'u' })

const service = await runService()
const { key } = await service.newKey()
const bearer = { Authorization: `Bearer ${key}` }
afterAll(() => service[Symbol.asyncDispose]())

const open = () => RawConnection.open(service.address)
const create = (headers: Record<string, string> = {}, body: string | undefined = CONTENT) =>
  rawRequest('POST /v1/memories', { ...bearer, ...JSON_BODY, ...headers }, body)
const list = () => rawRequest('GET /v1/entities', bearer)
const codeOf = ({ body }: { body: string }) => JSON.parse(body).error?.code

/** A body of exactly `bytes` that would be valid. */
const memoryOf = (bytes: number) => CONTENT.padEnd(bytes, ' ')

test('a body of exactly 1 MiB is read', async () => {
  using connection = await open()
  void connection.send(create({}, memoryOf(MIB)))
  expect(await connection.answer()).toMatchObject({ status: 201 })
})

test('one byte more is 413, is received although the body was sent whole, and the connection goes on', async () => {
  using connection = await open()
  await connection.send(create({}, memoryOf(MIB + 1)))
  const refusal = await connection.answer()
  expect(refusal.status).toBe(413)
  expect(codeOf(refusal)).toBe('PAYLOAD_TOO_LARGE')
  await connection.send(list())
  expect(await connection.answer()).toMatchObject({ status: 200 })
})

test('one byte more in chunks is 413 as well, and the connection goes on', async () => {
  using connection = await open()
  const head = rawRequest('POST /v1/memories', {
    ...bearer,
    ...JSON_BODY,
    'Transfer-Encoding': 'chunked',
  })
  const body = memoryOf(MIB + 1)
  const sent = connection.send(`${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  expect(codeOf(await connection.answer())).toBe('PAYLOAD_TOO_LARGE')
  await sent
  await connection.send(list())
  expect(await connection.answer()).toMatchObject({ status: 200 })
})

test('a body that is both of a wrong type and too large is 415', async () => {
  using connection = await open()
  await connection.send(create({ 'Content-Type': 'text/plain', 'Content-Length': String(2 * MIB) }))
  expect(codeOf(await connection.answer())).toBe('UNSUPPORTED_MEDIA_TYPE')
})

test('a body without a key is refused before any of it was sent', async () => {
  using connection = await open()
  const headers = { ...JSON_BODY, 'Content-Length': String(1024 * MIB) }
  await connection.send(rawRequest('POST /v1/memories', headers))
  const refusal = await connection.answer()
  expect(refusal.status).toBe(401)
  expect(codeOf(refusal)).toBe('UNAUTHORIZED')
})

test('an unknown path and a wrong method are refused before any of the body was sent', async () => {
  for (const [line, code] of [
    ['POST /v1/nothing', 'NOT_FOUND'],
    ['PUT /v1/memories', 'METHOD_NOT_ALLOWED'],
  ] as const) {
    using connection = await open()
    await connection.send(rawRequest(line, { ...bearer, 'Content-Length': String(1024 * MIB) }))
    expect(codeOf(await connection.answer())).toBe(code)
  }
})

/** What an answer says about the connection behind it. */
const persistence = ({ headers }: { headers: Map<string, string> }) => [
  headers.get('connection'),
  headers.get('keep-alive'),
]

test('after a body that cannot be used the connection goes on, and says so like any other', async () => {
  using connection = await open()
  await connection.send(list() + create({}, '{"content":') + create({}, memoryOf(MIB + 1)) + list())
  const usual = await connection.answer()
  expect(persistence(usual)).toEqual(['keep-alive', expect.stringMatching(/^timeout=\d+$/)])
  for (const code of ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE']) {
    const refusal = await connection.answer()
    expect(codeOf(refusal)).toBe(code)
    expect(JSON.parse(refusal.body).error).not.toHaveProperty('field')
    expect(persistence(refusal)).toEqual(persistence(usual))
  }
  expect(await connection.answer()).toMatchObject({ status: 200 })
})

test.each([
  ['asks for the end', '1.1', 'close', 'close'],
  ['speaks HTTP/1.0', '1.0', undefined, 'close'],
  ['speaks HTTP/1.0 and goes on', '1.0', 'keep-alive', 'keep-alive'],
])(
  'a client that %s hears of it with a refused body as with any other',
  async (_, version, asked, told) => {
    const headers: Record<string, string> = asked === undefined ? {} : { Connection: asked }
    for (const request of [
      rawRequest('GET /v1/entities', { ...bearer, ...headers }),
      create(headers, '{"content":'),
    ]) {
      using connection = await open()
      await connection.send(request.replace('HTTP/1.1', `HTTP/${version}`))
      const answer = await connection.answer()
      const forHowLong = told === 'close' ? undefined : expect.stringMatching(/^timeout=/)
      expect(persistence(answer)).toEqual([told, forHowLong])
      if (told === 'close') expect(await connection.ended()).toBe('')
    }
  },
)

test('pipelined requests are answered in order, a refused one between them included', async () => {
  using connection = await open()
  const requests = [create(), create({ Authorization: 'Bearer nope' }), list(), create({}, '[]')]
  await connection.send(requests.join(''))
  const statuses: number[] = []
  for (const _request of requests) statuses.push((await connection.answer()).status)
  expect(statuses).toEqual([201, 401, 200, 400])
})

test("broken HTTP behind a request never takes the place of that request's answer", async () => {
  const connection = await open()
  await connection.send(`${create()}GARBAGE\r\n\r\n`)
  expect(await connection.answer()).toMatchObject({ status: 201 })
  const refusal = await connection.answer()
  expect(refusal.status).toBe(400)
  expect(codeOf(refusal)).toBe('BAD_REQUEST')
  expect(await connection.ended()).toBe('')
})

test.each([
  ['no HTTP at all', 'GARBAGE\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'two lengths',
    'POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  [
    'a length and chunks',
    'POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  [
    'headers over 16 KiB',
    `GET /v1/memories HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  [
    'an address over 16 KiB',
    `GET /v1/memories/${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  [
    'an address with letters that are not encoded',
    'GET /v1/entities?search=m\u00fcnchen HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
])(
  '%s is answered once, in the documented shape, and ends the connection',
  async (_, text, status, code) => {
    const connection = await open()
    await connection.send(text)
    const refusal = await connection.answer()
    expect(refusal.status).toBe(status)
    expect(codeOf(refusal)).toBe(code)
    expect(refusal.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(refusal.headers.get('x-ratelimit-limit')).toBe('20')
    expect(refusal.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    expect(refusal.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/)
    expect(refusal.headers.get('connection')).toBe('close')
    expect(await connection.ended()).toBe('')
  },
)

test('broken HTTP is told the numbers of its address, like any request without a key', async () => {
  const connection = await open()
  await connection.send(`${create({ Authorization: 'Bearer nope' })}GARBAGE\r\n\r\n`)
  const refusals = [await connection.answer(), await connection.answer()]
  const numbers = refusals.map(({ headers }) => headers.get('x-ratelimit-remaining'))
  expect(refusals.map(({ status }) => status)).toEqual([401, 400])
  expect(numbers[1]).toBe(numbers[0])
  expect(numbers[0]).not.toBe('20')
})

test('an address with letters that are not encoded is told to encode them', async () => {
  const connection = await open()
  await connection.send('GET /v1/entities?search=münchen HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await connection.answer()).body).toContain('must be percent-encoded')
})

const refusalOfHead = async (target: string, headers: string[]) => {
  using connection = await open()
  await connection.send(`GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  const answer = await connection.answer()
  return answer.status === 200
    ? 'none'
    : `${codeOf(answer)} ${JSON.parse(answer.body).error.message}`
}

test('there may be 1,000 headers, and one more is refused, however short they are', async () => {
  const headers = (count: number) => ['Host: x', ...Array.from({ length: count - 1 }, () => 'a:1')]
  expect(await refusalOfHead('/livez', headers(1_000))).toBe('none')
  expect(await refusalOfHead('/livez', headers(1_001))).toMatch(
    /^HEADERS_TOO_LARGE .*at most 1,000 headers/,
  )
})

test('the address and the names and values of headers may have 16,383 bytes together', async () => {
  const head = (bytes: number) => `X: ${'x'.repeat(bytes - '/livez?aHostxX'.length)}`
  expect(await refusalOfHead('/livez?a', ['Host: x', head(16_383)])).toBe('none')
  expect(await refusalOfHead('/livez?a', ['Host: x', head(16_384)])).toMatch(
    /^HEADERS_TOO_LARGE .*address less than 16 KiB/,
  )
})

test('a broken chunk is answered once, as a broken request', async () => {
  const connection = await open()
  const head = rawRequest('POST /v1/memories', {
    ...bearer,
    ...JSON_BODY,
    'Transfer-Encoding': 'chunked',
  })
  await connection.send(`${head}zz\r\nrubbish`)
  expect(codeOf(await connection.answer())).toBe('BAD_REQUEST')
  expect(await connection.ended()).toBe('')
})

test('a missing or doubled Host is 400 with the headers of every answer', async () => {
  for (const hosts of ['', 'Host: a\r\nHost: b\r\n']) {
    using connection = await open()
    const authorization = `Authorization: ${bearer.Authorization}\r\n`
    await connection.send(`GET /v1/memories HTTP/1.1\r\n${hosts}${authorization}\r\n`)
    const refusal = await connection.answer()
    expect(codeOf(refusal)).toBe('BAD_REQUEST')
    expect(refusal.headers.get('x-ratelimit-limit')).toBe('20')
  }
})

test('HTTP/1.0 needs no Host, and the connection ends after the answer', async () => {
  const connection = await open()
  await connection.send(
    `GET /v1/entities HTTP/1.0\r\nAuthorization: ${bearer.Authorization}\r\n\r\n`,
  )
  expect(await connection.answer()).toMatchObject({ status: 200 })
  expect(await connection.ended()).toBe('')
})
