/** The life of one memory: create, get, delete; which fields come back, and exactly what was sent. */
import { describe, expect, test } from 'vitest'
import { expectError } from './harness/errors.ts'
import { createMemory, someUser } from './harness/operations.ts'
import { deletionOf, memoryOf, memoryPageOf } from './harness/records.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

const full = {
  content: 'Grace keeps the spare key under the blue pot.',
  userId: 'grace',
  agentId: 'housekeeper',
  tags: ['home', 'keys'],
  metadata: { room: 'porch', floor: 0 },
}

describe('creating a memory', () => {
  test('a created memory answers 201 with every field that was sent', async () => {
    const answer = await client.post('/v1/memories', full)
    expect(answer.status).toBe(201)
    expect(memoryOf(answer.body)).toMatchObject(full)
  })

  test('fields that were not given are absent, and tags are an empty list', async () => {
    const { id, createdAt, updatedAt, ...rest } = await createMemory(client, {
      content: 'Only text.',
      userId: 'ada',
    })
    expect([id, createdAt, updatedAt].every((field) => field.length > 0)).toBe(true)
    expect(rest).toEqual({ content: 'Only text.', userId: 'ada', tags: [] })
  })

  test('null for an optional field of a memory means that it was not given', async () => {
    const memory = await createMemory(client, {
      content: 'Only text.',
      userId: 'ada',
      agentId: null,
      tags: null,
      metadata: null,
    })
    expect(Object.keys(memory).sort()).toEqual(
      ['content', 'createdAt', 'id', 'tags', 'updatedAt', 'userId'].sort(),
    )
    expect(memory.tags).toEqual([])
  })

  test('a new memory carries the present time twice, in UTC with milliseconds', async () => {
    const before = Date.now()
    const { createdAt, updatedAt } = await createMemory(client, full)
    expect(updatedAt).toBe(createdAt)
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before - 2_000)
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now() + 2_000)
  })

  test('equal memories are separate records with ids of their own', async () => {
    const [one, two] = [await createMemory(client, full), await createMemory(client, full)]
    expect(one.id).not.toBe(two.id)
    expect(two).toMatchObject(full)
  })

  test('fields that nobody knows are neither stored nor refused', async () => {
    const answer = await client.post('/v1/memories', {
      ...full,
      id: 'mem_chosen_by_the_caller',
      embedding: [1, 2, 3],
      color: 'blue',
    })
    expect(answer.status).toBe(201)
    expect(memoryOf(answer.body).id).not.toBe('mem_chosen_by_the_caller')
  })

  test('tags keep their order and lose their duplicates', async () => {
    const tags = ['zebra', 'ant', 'zebra', 'a,b', ' outer space ', 'ant', 'Ant']
    const memory = await createMemory(client, { ...full, tags })
    expect(memory.tags).toEqual(['zebra', 'ant', 'a,b', ' outer space ', 'Ant'])
    expect(memoryOf((await client.get(`/v1/memories/${memory.id}`)).body).tags).toEqual(memory.tags)
  })

  test.each([
    ['outer white space and line ends', '  two\r\n lines\tand a tab \n'],
    ['composed and decomposed accents', 'caf\u00e9 cafe\u0301'],
    ['emoji beyond the basic plane', 'family 👩‍👩‍👧‍👦 and 𝒳'],
    ['markup and quotes', '<b>"it\'s" & \\n</b>'],
    ['control characters other than NUL', 'bell \u0007 and escape \u001b'],
    ['right-to-left text', 'שלום world \u200f!'],
    ['the replacement character', 'left \ufffd right'],
  ])('a text is stored exactly: %s', async (_what, content) => {
    const { id } = await createMemory(client, { content, userId: full.userId })
    const stored = memoryOf((await client.get(`/v1/memories/${id}`)).body)
    expect(stored.content).toBe(content)
  })
})

describe('metadata', () => {
  test('metadata comes back exactly as sent, key order and numbers included', async () => {
    const metadata =
      '{"zeta":1,"alpha":[true,null,-0.5,1e-7,123456789012],"nested":{"b":"ü","a":""},"e":{}}'
    const raw = `{"content":"x","userId":"u","metadata":${metadata}}`
    const headers = { 'content-type': 'application/json' }
    const created = await client.call('POST', '/v1/memories', { raw, headers })
    expect(created.status).toBe(201)
    expect(created.text).toContain(metadata)
    const read = await client.get(`/v1/memories/${memoryOf(created.body).id}`)
    expect(read.text).toContain(metadata)
  })

  test('index-like keys come first, the last of two equal keys stays, and -0 is 0', async () => {
    const metadata = '{"b":1,"10":2,"2":3,"b":4,"zero":-0,"one":1.0}'
    const raw = `{"content":"x","userId":"u","metadata":${metadata}}`
    const headers = { 'content-type': 'application/json' }
    const created = await client.call('POST', '/v1/memories', { raw, headers })
    expect(created.text).toContain('{"2":3,"10":2,"b":4,"zero":0,"one":1}')
  })

  test('an empty metadata object comes back as an empty object', async () => {
    const { id, metadata } = await createMemory(client, { ...full, metadata: {} })
    expect(metadata).toEqual({})
    expect(memoryOf((await client.get(`/v1/memories/${id}`)).body).metadata).toEqual({})
  })

  test('an integer beyond 2^53 comes back as the nearest double', async () => {
    const raw = '{"content":"x","userId":"u","metadata":{"n":9007199254740993}}'
    const headers = { 'content-type': 'application/json' }
    const created = await client.call('POST', '/v1/memories', { raw, headers })
    expect(memoryOf(created.body).metadata).toEqual({ n: 9007199254740992 })
  })

  test('keys that mean something to JavaScript are stored exactly or refused', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const metadata = `{"${key}":{"admin":true}}`
      const raw = `{"content":"x","userId":"u","metadata":${metadata}}`
      const answer = await client.call('POST', '/v1/memories', { raw, headers })
      if (answer.status !== 400) expect(answer.text).toContain(metadata)
    }
  })
})

describe('getting and deleting a memory', () => {
  test('a memory is fetched as it was created', async () => {
    const created = await createMemory(client, full)
    const answer = await client.get(`/v1/memories/${created.id}`)
    expect(answer.status).toBe(200)
    expect(memoryOf(answer.body)).toEqual(created)
  })

  test('deleting a memory answers with success and its id', async () => {
    const { id } = await createMemory(client, full)
    const answer = await client.delete(`/v1/memories/${id}`)
    expect(answer.status).toBe(200)
    expect(deletionOf(answer.body)).toEqual({ success: true, id })
  })

  test('a deleted memory is gone from get, delete, list and search at once', async () => {
    const userId = someUser()
    const { id, content } = await createMemory(client, { ...full, userId })
    await client.delete(`/v1/memories/${id}`)
    expectError(await client.get(`/v1/memories/${id}`), 'MEMORY_NOT_FOUND')
    expectError(await client.delete(`/v1/memories/${id}`), 'MEMORY_NOT_FOUND')
    const list = memoryPageOf((await client.get(`/v1/memories?userId=${userId}`)).body)
    expect(list).toMatchObject({ items: [], pagination: { total: 0 } })
    const search = { query: content, userId, threshold: 0 }
    expect((await client.post('/v1/memories/search', search)).body).toEqual({ results: [] })
  })

  test('deleting one memory leaves its twin', async () => {
    const userId = someUser()
    const doomed = await createMemory(client, { ...full, userId })
    const twin = await createMemory(client, { ...full, userId })
    await client.delete(`/v1/memories/${doomed.id}`)
    expect(memoryOf((await client.get(`/v1/memories/${twin.id}`)).body)).toEqual(twin)
  })
})

describe('listing memories', () => {
  test('a list item carries no metadata and every other field', async () => {
    const userId = someUser()
    const { metadata, ...listed } = await createMemory(client, { ...full, userId })
    expect(metadata).toEqual(full.metadata)
    const page = memoryPageOf((await client.get(`/v1/memories?userId=${userId}`)).body)
    expect(page.items).toEqual([listed])
  })

  test('a list item of a memory without agent and tags has no agentId and empty tags', async () => {
    const userId = someUser()
    await createMemory(client, { content: 'plain', userId })
    const [item] = memoryPageOf((await client.get(`/v1/memories?userId=${userId}`)).body).items
    expect(item).toMatchObject({ tags: [] })
    expect(item).not.toHaveProperty('agentId')
  })

  test('list filters by user, agent and tags are joined by AND', async () => {
    const userId = someUser()
    const make = (content: string, fields: object) =>
      createMemory(client, { content, userId, ...fields })
    await make('one', { agentId: 'a', tags: ['x'] })
    await make('two', { agentId: 'a', tags: ['x', 'y'] })
    await make('three', { agentId: 'b', tags: ['y', 'x', 'z'] })
    await make('four', { tags: ['X'] })
    const contents = async (query: string) => {
      const answer = await client.get(`/v1/memories?userId=${userId}${query}`)
      return memoryPageOf(answer.body).items.map((item) => item.content)
    }
    expect((await contents('')).sort()).toEqual(['four', 'one', 'three', 'two'])
    expect((await contents('&agentId=a')).sort()).toEqual(['one', 'two'])
    expect((await contents('&tags=x,y')).sort()).toEqual(['three', 'two'])
    expect((await contents('&tags=y&agentId=b')).sort()).toEqual(['three'])
    expect(await contents('&tags=x,nowhere')).toEqual([])
    expect(await contents('&agentId=nobody')).toEqual([])
  })

  test('users and agents are compared exactly, letter case and white space included', async () => {
    const userId = `User ${someUser()}`
    await createMemory(client, { content: 'exact', userId, agentId: 'Agent' })
    const total = async (query: Record<string, string>) => {
      const answer = await client.get(`/v1/memories?${new URLSearchParams(query)}`)
      return memoryPageOf(answer.body).pagination.total
    }
    expect(await total({ userId })).toBe(1)
    expect(await total({ userId: userId.toLowerCase() })).toBe(0)
    expect(await total({ userId: `${userId} ` })).toBe(0)
    expect(await total({ userId: userId.slice(0, -1) })).toBe(0)
    expect(await total({ userId, agentId: 'agent' })).toBe(0)
    expect(await total({ userId, agentId: 'Agent' })).toBe(1)
  })

  test('white space round a listed tag and empty tags are dropped from the filter', async () => {
    const userId = someUser()
    await createMemory(client, { content: 'both', userId, tags: ['x', 'two words'] })
    await createMemory(client, { content: 'one', userId, tags: ['x'] })
    const tags = encodeURIComponent(' x ,, two words,')
    const answer = await client.get(`/v1/memories?userId=${userId}&tags=${tags}`)
    expect(memoryPageOf(answer.body).items.map((item) => item.content)).toEqual(['both'])
  })
})
