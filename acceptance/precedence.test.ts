/**
 * Which refusal wins when several apply: each case sends a request with two faults that follow
 * each other in the order of the checks and expects the earlier one.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './harness/client.ts'
import { expectError, expectInvalid, expectRateLimited } from './harness/errors.ts'
import { anyClient, describeManaged, freshClient } from './harness/service.ts'

const client = await anyClient()

const json = { 'content-type': 'application/json' }
const text = { 'content-type': 'text/plain' }
const big = 'x'.repeat(1024 * 1024 + 1)

describeManaged('before the route is looked up', () => {
  let limited: Client
  beforeAll(async () => {
    limited = await freshClient({ limits: { read: 1, write: 1, search: 1 } })
    await limited.get('/v1/nowhere')
    await limited.call('PUT', '/v1/nowhere')
    await limited.post('/v1/memories/search', {})
  })

  test('the rate limit wins over an unknown route, a wrong method and a bad body', async () => {
    expectRateLimited(await limited.get('/v1/nowhere'))
    expectRateLimited(await limited.call('PATCH', '/v1/memories'))
    expectRateLimited(await limited.post('/v1/entities', {}))
    expectRateLimited(await limited.get('/v1/memories?page=0'))
    expectRateLimited(await limited.call('POST', '/v1/memories', { raw: big, headers: text }))
    expectRateLimited(await limited.call('POST', '/v1/memories/search', { raw: '{' }))
  })
})

describe('before the body is read', () => {
  test('an unknown route wins over any fault of the body', async () => {
    for (const [raw, headers] of [
      ['{', json],
      ['x', text],
      [big, json],
    ] as const) {
      expectError(await client.call('POST', '/v1/nowhere', { raw, headers }), 'NOT_FOUND')
    }
  })

  test('a wrong method wins over any fault of the body', async () => {
    const answer = await client.call('PUT', '/v1/memories', { raw: 'x', headers: text })
    expectError(answer, 'METHOD_NOT_ALLOWED')
  })

  test('a wrong media type wins over a body that is too large', async () => {
    const answer = await client.call('POST', '/v1/memories', { raw: big, headers: text })
    expectError(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a body that is too large wins over malformed JSON', async () => {
    const answer = await client.call('POST', '/v1/memories', { raw: `{${big}`, headers: json })
    expectError(answer, 'PAYLOAD_TOO_LARGE')
  })
})

describe('within the body', () => {
  const posts = ['/v1/memories', '/v1/memories/search', '/v1/entities', '/v1/relations']

  test.each(posts.map((path) => [path]))(
    'POST %s: malformed JSON is VALIDATION_ERROR without a field',
    async (path) => {
      const broken = ['', ' ', '{', '{"a":1', '{"a":}', "{'a':1}", '{"a":1}}', 'nul', '{"a":1,}']
      for (const raw of [...broken, '\u0000', '{"content":"\u0001"}', '[1', '"x']) {
        const answer = await client.call('POST', path, { raw, headers: json })
        expectError(answer, 'VALIDATION_ERROR')
      }
    },
  )

  test.each(posts.map((path) => [path]))(
    'POST %s: a body that is no object is VALIDATION_ERROR without a field',
    async (path) => {
      for (const raw of ['[]', '[{}]', 'null', '5', '"text"', 'true', '[{"content":"x"}]']) {
        const answer = await client.call('POST', path, { raw, headers: json })
        expectError(answer, 'VALIDATION_ERROR')
      }
    },
  )

  test('of several wrong fields of a memory the first of the table is reported', async () => {
    const wrong = { content: 5, userId: 5, agentId: 5, tags: 5, metadata: 5 }
    const send = (fields: object) => client.post('/v1/memories', { ...wrong, ...fields })
    expectInvalid(await client.post('/v1/memories', {}), 'content')
    expectInvalid(await send({}), 'content')
    expectError(await send({ content: 'x'.repeat(10_001) }), 'CONTENT_TOO_LONG')
    expectError(await send({ content: 'x' }), 'INVALID_USER_ID')
    expectInvalid(await send({ content: 'x', userId: 'u' }), 'agentId')
    expectInvalid(await send({ content: 'x', userId: 'u', agentId: 'a' }), 'tags')
    expectInvalid(await send({ content: 'x', userId: 'u', agentId: 'a', tags: [] }), 'metadata')
  })

  test('of several wrong fields of a search the first of the table is reported', async () => {
    const order = ['query', 'userId', 'agentId', 'tags', 'limit', 'threshold']
    const body: Record<string, unknown> = Object.fromEntries(order.map((field) => [field, 5.5]))
    const right = { query: 'q', userId: 'u', agentId: 'a', tags: ['t'], limit: 1 }
    for (const field of order) {
      expectInvalid(await client.post('/v1/memories/search', body), field)
      Object.assign(body, { [field]: Reflect.get(right, field) })
    }
  })

  test('of several wrong fields of an entity the first of the table is reported', async () => {
    const wrong = { name: 5, type: 5, description: 5, metadata: 5 }
    const send = (fields: object) => client.post('/v1/entities', { ...wrong, ...fields })
    expectError(await client.post('/v1/entities', {}), 'NAME_REQUIRED')
    expectError(await send({}), 'NAME_REQUIRED')
    expectError(await send({ name: 'n' }), 'INVALID_ENTITY_TYPE')
    expectInvalid(await send({ name: 'n', type: 'OTHER' }), 'description')
    expectInvalid(await send({ name: 'n', type: 'OTHER', description: '' }), 'metadata')
  })

  test('of several wrong fields of a relation the first of the table is reported', async () => {
    const wrong = { sourceId: 5, targetId: 5, type: 5, metadata: 5 }
    const send = (fields: object) => client.post('/v1/relations', { ...wrong, ...fields })
    expectInvalid(await client.post('/v1/relations', {}), 'sourceId')
    expectInvalid(await send({}), 'sourceId')
    expectInvalid(await send({ sourceId: 'ent_a' }), 'targetId')
    expectError(await send({ sourceId: 'ent_a', targetId: 'ent_b' }), 'INVALID_RELATION_TYPE')
    expectInvalid(await send({ sourceId: 'ent_a', targetId: 'ent_b', type: 'T' }), 'metadata')
  })

  test('a wrong field wins over an entity that does not exist', async () => {
    const body = { sourceId: 'ent_a', targetId: 'ent_b', type: '-' }
    expectError(await client.post('/v1/relations', body), 'INVALID_RELATION_TYPE')
    const right = { ...body, type: 'KNOWS' }
    expectError(await client.post('/v1/relations', right), 'SOURCE_ENTITY_NOT_FOUND')
  })
})

describe('what a refusal leaves behind', () => {
  test('a refused create stores nothing', async () => {
    const userId = 'nobody-at-all'
    await client.post('/v1/memories', { content: 'Nothing.', userId, tags: 5 })
    await client.post('/v1/memories', { content: ' ', userId })
    const list = await client.get(`/v1/memories?userId=${userId}`)
    expect(list.body).toMatchObject({ items: [], pagination: { total: 0 } })
  })
})
