// When several checks would refuse a request, the first in the documented order does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../core/api-key.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { RawConnection } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let service: TestService
let call: Call
beforeAll(async () => {
  service = await runService()
  call = apiClient(service.address, (await service.newKey()).key)
})
afterAll(() => service[Symbol.asyncDispose]())

const MEMORY = { content: 'c', userId: 'u' }

/** A key of the free plan whose month is used up. */
async function exhaustedKey() {
  const { id, key } = await service.newKey({ plan: 'free' })
  const month = new Date().toISOString().slice(0, 7)
  const charge = { keyId: id, month }
  await service.service.store.usage.add([{ ...charge, operations: 1_000, lastUsedAt: 1 }])
  return key
}

test('authentication comes before the path, the method, the type and the body', async () => {
  // Few enough for the bucket of this address.
  const anyone = apiClient(service.address)
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['PUT', '/v1/memories'],
    ['POST', '/v1/memories'],
  ] as const) {
    const answer = await anyone(method, path, method === 'GET' ? {} : { bytes: 'x' })
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.has('x-quota-used')).toBe(false)
  }
})

test('each way to authenticate wrongly has its code', async () => {
  await using own = await runService()
  const { id, key } = await own.newKey()
  const code = async (...authorization: string[]) => {
    const connection = await RawConnection.open(own.address)
    const lines = authorization.map((value) => `Authorization: ${value}\r\n`).join('')
    await connection.send(`GET /v1/entities HTTP/1.1\r\nHost: x\r\n${lines}\r\n`)
    const answer = await connection.answer()
    connection.close()
    return answer.status === 200 ? 'ok' : JSON.parse(answer.body).error.code
  }
  expect(await code()).toBe('UNAUTHORIZED')
  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${key}`,
    key,
    `Bearer ${key} x`,
    'Bearer x',
  ]) {
    expect(await code(header), header).toBe('INVALID_API_KEY')
  }
  expect(await code(`Bearer ${createApiKey()}`)).toBe('INVALID_API_KEY')
  expect(await code(`Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBe(
    'INVALID_API_KEY',
  )
  expect(await code(`Bearer ${key}`, `Bearer ${key}`)).toBe('INVALID_API_KEY')
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR ']) {
    expect(await code(`${scheme} ${key}`)).toBe('ok')
  }
  await own.service.store.keys.revoke(id)
  expect(await code(`Bearer ${key}`)).toBe('API_KEY_REVOKED')
})

test('an address that fails too often is told to wait, and a valid key from there is served', async () => {
  await using own = await runService()
  const { key } = await own.newKey()
  const anyone = apiClient(own.address)
  for (let remaining = 19; remaining >= 0; remaining -= 1) {
    const answer = await anyone('GET', '/v1/entities')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('20')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(remaining))
  }
  const refused = await anyone('GET', '/v1/entities')
  expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const { retryAfter } = Object(Object(refused.body).error)
  expect(refused.headers.get('retry-after')).toBe(String(retryAfter))
  expect(await apiClient(own.address, key)('GET', '/v1/entities')).toMatchObject({ status: 200 })
})

test('the rate limit comes before the path, the type and the body', async () => {
  const { key } = await service.newKey({ limits: { read: 1, write: 1, search: 1 } })
  const mine = apiClient(service.address, key)
  await mine('GET', '/v1/nothing')
  await mine('POST', '/v1/nothing')
  for (const [method, path, bytes] of [
    ['GET', '/v1/nothing', undefined],
    ['GET', '/v1/memories?limit=0', undefined],
    ['POST', '/v1/memories', 'no JSON'],
    ['PUT', '/v1/memories', 'x'],
  ] as const) {
    const answer = await mine(method, path, bytes === undefined ? {} : { bytes })
    expect(answer, `${method} ${path}`).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(answer.headers.has('x-quota-used')).toBe(true)
  }
})

test('of the body its type is judged first, then its size, its JSON, its shape and its fields', async () => {
  const json = { 'content-type': 'application/json' }
  const big = 'x'.repeat(1024 * 1024 + 1)
  const code = async (request: Parameters<Call>[2]) =>
    (await call('POST', '/v1/memories', request)).code
  expect(await code({ bytes: big, headers: { 'content-type': 'text/plain' } })).toBe(
    'UNSUPPORTED_MEDIA_TYPE',
  )
  expect(await code({ bytes: big, headers: json })).toBe('PAYLOAD_TOO_LARGE')
  expect(await code({ bytes: '{', headers: json })).toBe('VALIDATION_ERROR')
  const shape = await call('POST', '/v1/memories', { json: [MEMORY] })
  expect(shape.body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
  expect(Object(shape.body).error).not.toHaveProperty('field')
  const long = { content: 'x'.repeat(10_001) }
  expect(await code({ json: long })).toBe('CONTENT_TOO_LONG')
})

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; charset= utf8 ; x=y',
  'application/json; profile=x',
])('the content type %s is JSON', async (type) => {
  const request = { bytes: JSON.stringify(MEMORY), headers: { 'content-type': type } }
  expect(await call('POST', '/v1/memories', request)).toMatchObject({ status: 201 })
})

test.each([
  'text/plain',
  'application/jsonx',
  'application/vnd.api+json',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=application/json',
  'application/x-www-form-urlencoded',
])('the content type %s is 415', async (type) => {
  const request = { bytes: JSON.stringify(MEMORY), headers: { 'content-type': type } }
  expect(await call('POST', '/v1/memories', request)).toMatchObject({ status: 415 })
})

test('a body without a content type, with two of them, or compressed, is 415', async () => {
  const body = JSON.stringify(MEMORY)
  expect(await call('POST', '/v1/memories', { bytes: Buffer.from(body) })).toMatchObject({
    status: 415,
  })
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  expect(await call('POST', '/v1/memories', { bytes: body, headers })).toMatchObject({
    status: 415,
  })
  const connection = await RawConnection.open(service.address)
  const { key } = await service.newKey()
  const authorized = `POST /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
  const one = `${authorized}Content-Type: application/json\r\n`
  const two = `${one}Content-Type: text/plain\r\n`
  await connection.send(`${two}Content-Length: ${body.length}\r\n\r\n${body}`)
  expect(await connection.answer()).toMatchObject({ status: 415 })
  connection.close()
  for (const [coding, status] of [
    ['gzip, chunked', 415],
    ['Chunked', 201],
  ] as const) {
    const chunks = await RawConnection.open(service.address)
    const given = `${one}Transfer-Encoding: ${coding}\r\n\r\n`
    await chunks.send(`${given}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    expect(await chunks.answer(), coding).toMatchObject({ status })
    chunks.close()
  }
})

test('a body that is not UTF-8 is refused instead of being repaired', async () => {
  const text = Buffer.from('{"content":"c","userId":"u?"}')
  const bytes = text.map((byte) => (byte === 0x3f ? 0xff : byte))
  const request = { bytes, headers: { 'content-type': 'application/json' } }
  expect(await call('POST', '/v1/memories', request)).toMatchObject({
    body: { error: { code: 'VALIDATION_ERROR', message: 'The body is not valid UTF-8.' } },
  })
})

test('validation comes before the quota, and the quota before looking anything up', async () => {
  const mine = apiClient(service.address, await exhaustedKey())
  expect(await mine('POST', '/v1/memories', { json: {} })).toMatchObject({ status: 400 })
  expect(await mine('GET', '/v1/memories?page=0')).toMatchObject({ status: 400 })
  expect(await mine('GET', '/v1/nothing')).toMatchObject({ status: 404 })
  expect(await mine('PUT', '/v1/memories')).toMatchObject({ status: 405 })
  for (const [method, path, json] of [
    ['POST', '/v1/memories', MEMORY],
    ['POST', '/v1/memories/search', { query: 'q' }],
    ['GET', '/v1/memories', undefined],
    ['HEAD', '/v1/memories', undefined],
    ['GET', '/v1/memories/nobody', undefined],
    ['DELETE', '/v1/memories/nobody', undefined],
    ['POST', '/v1/relations', { sourceId: 'x', targetId: 'y', type: 'KNOWS' }],
    ['GET', '/v1/entities/nobody', undefined],
  ] as const) {
    const answer = await mine(method, path, json === undefined ? {} : { json })
    expect(answer.status, `${method} ${path}`).toBe(403)
    expect(answer.headers.get('x-quota-used')).toBe('1000')
    if (method === 'HEAD') continue
    const { code, currentUsage, limit, resetAt } = Object(Object(answer.body).error)
    expect({ code, currentUsage, limit }).toEqual({
      code: 'QUOTA_EXCEEDED',
      currentUsage: 1_000,
      limit: 1_000,
    })
    expect(resetAt).toBe(answer.headers.get('x-quota-reset'))
  }
  for (const path of ['/v1/entities', '/v1/relations']) {
    expect(await mine('GET', path), 'these two lists are free').toMatchObject({ status: 200 })
  }
})
