// What becomes of a message before any tool is called, or that calls none: who may send it, and what it must be.
import { afterAll, expect, test } from 'vitest'
import { PING, postMessage } from '../../testing/agent.ts'
import { apiClient } from '../../testing/api-client.ts'
import { runService, UNLIMITED } from '../../testing/running-service.ts'

const service = await runService({
  settings: { MNEMOGRAPH_CORS_ORIGINS: 'https://inspector.example' },
})
afterAll(() => service[Symbol.asyncDispose]())

const post = (key: string | undefined, json: unknown, headers = {}) =>
  postMessage(service.address, key, json, headers)

test('a user that cannot be one, or is given under another name, is refused before anything is done', async () => {
  const { key } = await service.newKey()
  const api = apiClient(service.address, key)
  for (const query of ['userId=', 'userId=a&userId=b', `userId=${'x'.repeat(257)}`, 'user_id=a']) {
    const answer = await api('POST', `/mcp?${query}`, { json: PING })
    expect(answer, query).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  }
})

test('each request to it draws one read, so that no body is free', async () => {
  const { key } = await service.newKey({ limits: { ...UNLIMITED, read: 2 } })
  expect((await post(key, PING)).headers.get('x-ratelimit-remaining')).toBe('1')
  expect((await post(key, PING)).status).toBe(200)
  expect(await post(key, PING)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
})

test('without a valid key nothing is answered, whatever is asked', async () => {
  const answer = await post(undefined, PING)
  expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect(await post('mng_wrong', PING)).toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  expect((await apiClient(service.address)('GET', '/mcp')).status).toBe(401)
  expect((await apiClient(service.address)('POST', '/mcp/tools', { json: PING })).status).toBe(401)
})

test('only the methods, paths, types and bodies that there are', async () => {
  const { key } = await service.newKey()
  const api = apiClient(service.address, key)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await api(method, '/mcp')
    expect(answer).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    expect(answer.headers.get('allow')).toBe('POST')
  }
  expect((await api('POST', '/mcp/', { json: PING })).status).toBe(404)
  expect((await api('POST', '/mcp/tools', { json: PING })).status).toBe(404)
  const text = await api('POST', '/mcp', {
    bytes: '{}',
    headers: { 'content-type': 'text/plain' },
  })
  expect(text.status).toBe(415)
  expect(await post(key, [PING])).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect((await post(key, { a: 1 })).status).toBe(400)
  const unknown = await post(key, { ...PING, method: 'tools/call', params: { name: 'forget' } })
  expect(unknown.text).toContain('There is no tool of that name. There are create_memory, ')
  const bare = await post(key, {
    ...PING,
    method: 'tools/call',
    params: { name: 'list_entities' },
  })
  expect(bare.text).toContain('pagination')
})

test('nothing can be listened to, so that no answer stays open', async () => {
  const { key } = await service.newKey()
  const listen = { ...PING, method: 'subscriptions/listen' }
  expect((await post(key, listen)).text).toContain('Method not found')
  const params = {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const refused = await post(key, { ...listen, params }, headers)
  expect(refused.text).toContain('Subscription limit reached')
})

test('what a call has besides its arguments cannot wait with it by the megabyte', async () => {
  const { key } = await service.newKey()
  const called = (given: object, besides: object) => ({
    ...PING,
    method: 'tools/call',
    params: {
      name: 'create_memory',
      arguments: { content: 'x', userId: 'a', ...given },
      ...besides,
    },
  })
  const many = (count: number) => Array.from({ length: count }, () => 1)
  for (const besides of [
    { _meta: { x: many(17_000) } },
    { x: many(200_000) },
    { x: 'x'.repeat(17_000) },
    { ['x'.repeat(17_000)]: 1 },
  ]) {
    const refused = await post(key, called({}, besides))
    expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  }
  const taken = await post(
    key,
    called({ metadata: { x: many(5_000) } }, { _meta: { x: many(2_500) } }),
  )
  expect(taken.status).toBe(200)
  expect(taken.text).toContain('mem_')
})

test('a page of another origin may not ask, one of the configured origins may', async () => {
  const { key } = await service.newKey()
  expect((await post(key, PING, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(key, PING, { origin: 'null' })).status).toBe(403)
  expect((await post(key, PING, { origin: 'http://inspector.example' })).status).toBe(403)
  expect((await post(key, PING, { origin: 'https://inspector.example:8443' })).status).toBe(403)
  const own = await post(key, PING, { origin: 'https://inspector.example' })
  expect(own.status).toBe(200)
  expect(own.headers.get('access-control-allow-origin')).toBe('https://inspector.example')
})
