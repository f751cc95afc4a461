/**
 * What the HTTP parser refuses before any route is known: the answers have the documented shape
 * and headers all the same, and the server goes on. Requests that two parsers could read in two
 * ways are refused and never reach a handler.
 */
import { describe, expect, test } from 'vitest'
import { type Answer, header, numberHeader } from './harness/answer.ts'
import { type ErrorCode, expectError } from './harness/errors.ts'
import { anyClient, serviceUrl } from './harness/service.ts'
import {
  exchange,
  freshAddress,
  hasLoopbackRange,
  ordinaryHeaders,
  requestText,
} from './harness/wire.ts'

const client = await anyClient()

const from = hasLoopbackRange(serviceUrl) ? { from: freshAddress() } : {}
const send = (bytes: string) => exchange(serviceUrl, bytes, from)
const host = `Host: ${new URL(serviceUrl).host}\r\n`
const bearer = () => `Authorization: Bearer ${client.key}\r\n`

function expectParserError(answer: Answer, code: ErrorCode): void {
  expectError(answer, code)
  expect(header(answer, 'content-type')).toMatch(/^application\/json/)
  expect(header(answer, 'x-request-id')).toMatch(/\S{8,}/)
  expect(numberHeader(answer, 'x-ratelimit-limit')).toBe(20)
  expect(numberHeader(answer, 'x-ratelimit-remaining')).toBeLessThanOrEqual(20)
  expect(numberHeader(answer, 'x-ratelimit-reset')).toBeGreaterThan(Date.now() / 1000 - 2)
}

describe('requests that are no HTTP', () => {
  test.each([
    ['a line of nonsense', () => 'nonsense\r\n\r\n'],
    ['an unknown method', () => `FETCH /v1/memories HTTP/1.1\r\n${host}\r\n`],
    ['an unknown version', () => `GET /v1/memories HTTP/3.7\r\n${host}\r\n`],
    ['a header line without a colon', () => `GET /v1/memories HTTP/1.1\r\n${host}broken\r\n\r\n`],
    ['a header name with a space', () => `GET /v1/memories HTTP/1.1\r\n${host}A b: c\r\n\r\n`],
    ['NUL in a header', () => `GET /v1/memories HTTP/1.1\r\n${host}A: \u0000\r\n\r\n`],
    ['a space in the path', () => `GET /v1/mem ories HTTP/1.1\r\n${host}\r\n`],
    [
      'a length that is no number',
      () => `POST /v1/memories HTTP/1.1\r\n${host}${bearer()}Content-Length: +2\r\n\r\n{}`,
    ],
    [
      'two different lengths',
      () =>
        `POST /v1/memories HTTP/1.1\r\n${host}${bearer()}Content-Length: 2\r\n` +
        'Content-Length: 3\r\n\r\n{} ',
    ],
    [
      'a length and a transfer encoding',
      () =>
        `POST /v1/memories HTTP/1.1\r\n${host}${bearer()}Content-Length: 2\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
    ['line feeds alone as line ends', () => `GET /v1/entities HTTP/1.1\n${host}${bearer()}\n`],
    ['a folded header', () => `GET /v1/entities HTTP/1.1\r\n${host}${bearer()}A: b\r\n c\r\n\r\n`],
    ['two Hosts', () => `GET /v1/entities HTTP/1.1\r\n${host}${host}${bearer()}\r\n`],
    ['no Host', () => `GET /v1/memories HTTP/1.1\r\n${bearer()}\r\n`],
  ])('%s is BAD_REQUEST in the documented shape', async (_what, bytes) => {
    expectParserError(await send(bytes()), 'BAD_REQUEST')
  })

  test('a chunk of a broken size ends the request without a record', async () => {
    const headers = `${host}${bearer()}Content-Type: application/json\r\n`
    const start = `POST /v1/entities HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`
    const answer = await send(`${start}zz\r\n{}\r\n0\r\n\r\n`)
    expect(answer.status).toBe(400)
    expect(answer.body).toHaveProperty('error.code')
  })

  test('headers that are too large are HEADERS_TOO_LARGE', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    const oversize = requestText('GET', '/v1/memories', [...lines, ['X-Big', 'x'.repeat(100_000)]])
    expectParserError(await send(oversize), 'HEADERS_TOO_LARGE')
    const path = `/v1/memories/${'x'.repeat(100_000)}`
    expectParserError(await send(requestText('GET', path, lines)), 'HEADERS_TOO_LARGE')
  })

  test('an expectation that nobody knows is ignored', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    const text = requestText('GET', '/v1/entities', [...lines, ['Expect', 'the unexpected']])
    expect((await send(text)).status).toBe(200)
  })
})

describe('requests that are HTTP, if strange', () => {
  test('a client that waits for 100 Continue is invited, but not to a refusal', async () => {
    const body = '{"name":"Patient","type":"OTHER"}'
    const first = async (path: string, key: string, type: string, length: number) => {
      const lines = ordinaryHeaders(serviceUrl, key)
      lines.push(['Content-Type', type], ['Content-Length', `${length}`])
      lines.push(['Expect', '100-continue'])
      return (await send(requestText('POST', path, lines, ''))).status
    }
    const json = 'application/json'
    expect(await first('/v1/entities', client.key, json, body.length)).toBe(100)
    expect(await first('/v1/entities', 'mng_nobody', json, body.length)).toBe(401)
    expect(await first('/v1/nowhere', client.key, json, body.length)).toBe(404)
    expect(await first('/v1/entities', client.key, 'text/plain', body.length)).toBe(415)
    expect(await first('/v1/entities', client.key, json, 2_000_000)).toBe(413)
  })

  test('header names in any letter case are read', async () => {
    const text = `GET /v1/entities HTTP/1.1\r\nhOsT: x\r\naUTHORIZATION: Bearer ${client.key}\r\n\r\n`
    expect((await send(text)).status).toBe(200)
  })

  test('dots in a path are not resolved into another path', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    for (const path of ['/v1/memories/../entities', '/v1/./entities', '/v1/memories/%2e%2e']) {
      const answer = await send(requestText('GET', path, lines))
      expect(answer.status).toBe(404)
    }
  })

  test('the server serves on after every refusal', async () => {
    expect((await client.get('/v1/entities')).status).toBe(200)
  })
})
