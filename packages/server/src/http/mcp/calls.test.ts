// What an agent gets from its tools: what the operations answer over HTTP, with their limits, counts and refusals.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import packageManifest from '../../../package.json' with { type: 'json' }
import { agentOf, PING, postMessage } from '../../testing/agent.ts'
import { apiClient } from '../../testing/api-client.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService, type TestService, UNLIMITED } from '../../testing/running-service.ts'

const server = inject('postgresUrl')
const { version } = packageManifest

describe.each(server === undefined ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (store) => {
  let service: TestService
  beforeAll(async () => {
    const settings: Record<string, string> = {}
    if (store === 'postgres') settings['DATABASE_URL'] = (await newDatabase(server ?? '')).url
    service = await runService({ settings })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const connect = (key: string, options = {}) => agentOf(service.address, key, options)

  test.each(['auto', 'legacy'] as const)(
    'an agent finds what it stored, in a client that speaks the protocol (%s)',
    async (mode) => {
      const { key } = await service.newKey()
      const { client, call } = await connect(key, { mode })
      expect(client.getServerVersion()).toMatchObject({ name: 'mnemograph', version })
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(13)
      expect(tools.find(({ name }) => name === 'delete_memory')).toMatchObject({
        title: 'Delete memory',
        annotations: { readOnlyHint: false, destructiveHint: true },
        inputSchema: { type: 'object', required: ['id'], additionalProperties: false },
      })
      expect(client.getInstructions()).toContain('Long-term memory')
      const content = 'Anna prefers dark roast coffee.'
      const { answer: stored } = await call('create_memory', {
        content,
        userId: 'anna',
        tags: ['x'],
      })
      const { answer: found } = await call('search_memories', { query: content, tags: ['x'] })
      expect(found.results).toMatchObject([{ id: stored.id, content, score: 1 }])
      const overHttp = await apiClient(service.address, key)('GET', `/v1/memories/${stored.id}`)
      expect(overHttp.body).toEqual(stored)
      await client.close()
    },
  )

  test('the graph is stored, listed by its fields, fetched and deleted', async () => {
    const { call } = await connect((await service.newKey()).key)
    const create = async (tool: string, given: Record<string, unknown>) =>
      (await call(tool, given)).answer.id
    const anna = await create('create_entity', { name: 'Anna', type: 'PERSON', metadata: { a: 1 } })
    const initech = await create('create_entity', { name: 'Initech', type: 'ORGANIZATION' })
    const relation = { sourceId: anna, targetId: initech, type: 'WORKS_FOR' }
    const id = await create('create_relation', relation)

    const { answer: people } = await call('list_entities', {
      type: 'PERSON',
      search: 'ann',
      page: 1,
    })
    expect(people).toMatchObject({ items: [{ id: anna }], pagination: { total: 1, limit: 20 } })
    expect((await call('get_entity', { id: anna })).answer.metadata).toEqual({ a: 1 })
    const { answer: related } = await call('list_relations', { sourceId: anna, limit: 5 })
    expect(related).toMatchObject({ items: [{ id, target: { name: 'Initech' } }] })
    expect((await call('delete_entity', { id: initech })).answer).toEqual({
      success: true,
      id: initech,
    })
    const gone = await call('get_relation', { id })
    expect(gone).toMatchObject({ isError: true, answer: { error: { code: 'RELATION_NOT_FOUND' } } })
  })

  test('what is wrong with the arguments is told by field and by what is allowed', async () => {
    const { call } = await connect((await service.newKey()).key)
    const refused = async (tool: string, given: Record<string, unknown>) => {
      const { answer, isError } = await call(tool, given)
      expect(isError).toBe(true)
      return answer.error
    }
    expect(await refused('create_memory', { content: ' ', userId: 'a' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'content',
    })
    expect(await refused('create_memory', { content: 'x' })).toMatchObject({
      code: 'INVALID_USER_ID',
    })
    expect(await refused('search_memories', {})).toMatchObject({ field: 'query' })
    expect(await refused('list_memories', { limit: 101 })).toMatchObject({ field: 'limit' })
    expect(await refused('list_memories', { limit: 1.5 })).toMatchObject({ field: 'limit' })
    expect(await refused('list_memories', { userId: null })).toMatchObject({ field: 'userId' })
    expect(await refused('list_memories', { userId: ['a'] })).toMatchObject({ field: 'userId' })
    expect(await refused('get_memory', { id: 'mem_none' })).toMatchObject({
      code: 'MEMORY_NOT_FOUND',
    })
  })

  test('what is no text is never taken for one: not in an id, not in a filter', async () => {
    const { call } = await connect((await service.newKey()).key)
    const { answer: stored } = await call('create_memory', { content: 'x', userId: '5' })
    const refused = async (tool: string, given: Record<string, unknown>) => {
      const { answer, isError } = await call(tool, given)
      expect(isError, JSON.stringify(given)).toBe(true)
      return answer.error
    }
    for (const id of [undefined, null, 5, [stored.id], { toString: 1 }]) {
      expect(await refused('delete_memory', { id })).toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'id',
      })
    }
    expect(await refused('list_memories', { userId: 5 })).toMatchObject({ field: 'userId' })
    expect(await refused('list_entities', { search: 5 })).toMatchObject({ field: 'search' })
    expect((await refused('list_memories', { tags: ['a', 'b'] })).message).toMatch(
      /^tags must be one text: 1 to 50 tags .* separated by commas\.$/,
    )
    expect((await call('get_memory', { id: stored.id })).answer).toEqual(stored)
  })

  test('where an id is missing it says which tool tells ids: models give names for them', async () => {
    const { call } = await connect((await service.newKey()).key)
    const { id: anna } = (await call('create_entity', { name: 'Anna', type: 'PERSON' })).answer
    const said = async (tool: string, given: Record<string, unknown>) =>
      (await call(tool, given)).answer.error.message
    const type = 'KNOWS'
    expect(await said('create_relation', { sourceId: 'Anna', targetId: anna, type })).toBe(
      'There is no entity with the id in sourceId. list_entities finds ids by names.',
    )
    expect(await said('create_relation', { sourceId: anna, targetId: 'Tom', type })).toBe(
      'There is no entity with the id in targetId. list_entities finds ids by names.',
    )
    expect(await said('get_entity', { id: 'Anna' })).toBe(
      'There is no entity with this id. list_entities finds ids by names.',
    )
    expect(await said('delete_memory', { id: 'coffee' })).toBe(
      'There is no memory with this id. search_memories and list_memories tell ids.',
    )
    expect(await said('get_relation', { id: type })).toBe(
      'There is no relation with this id. list_relations tells ids.',
    )
  })

  test('any text may be asked for as an id, and is not found', async () => {
    const { call } = await connect((await service.newKey()).key)
    for (const id of ['', 'a/b', '..', 'a\0b', '\ud800', 'x'.repeat(500_000)]) {
      for (const tool of ['get_memory', 'delete_memory']) {
        const { answer } = await call(tool, { id })
        expect(answer.error, JSON.stringify(id.slice(0, 9))).toMatchObject({
          code: 'MEMORY_NOT_FOUND',
        })
      }
    }
  })

  test('an argument that a tool does not have is refused: a filter that is ignored would find too much', async () => {
    const { call } = await connect((await service.newKey()).key)
    for (const field of ['user_id', 'toString']) {
      const { answer, isError } = await call('search_memories', {
        query: 'coffee',
        [field]: 'anna',
      })
      expect(isError).toBe(true)
      expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', field })
      expect(answer.error.message).toContain('query, userId, agentId, tags, limit, threshold')
    }
  })

  test('a user in the address is the user of every memory, and no tool asks for another', async () => {
    const { key } = await service.newKey()
    const api = apiClient(service.address, key)
    const content = 'The door code is 4711.'
    await api('POST', '/v1/memories', { json: { content, userId: 'tom' } })
    const { client, call } = await connect(key, { path: '/mcp?userId=maria' })
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('userId')

    expect((await call('search_memories', { query: content })).answer).toEqual({ results: [] })
    const { answer: stored } = await call('create_memory', { content })
    expect(stored.userId).toBe('maria')
    expect((await call('search_memories', { query: content })).answer.results).toHaveLength(1)
    expect((await call('list_memories')).answer.pagination.total).toBe(1)
    const other = await call('search_memories', { query: content, userId: 'tom' })
    expect(other.answer.error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'userId' })
    expect((await call('list_entities')).isError).toBe(false)
  })

  test('long texts of a list are cut so that an agent can take it, and whole when they are fetched', async () => {
    const { call } = await connect((await service.newKey()).key)
    const content = `${'A long story. '.repeat(700)}The end.`
    let id = ''
    for (let count = 0; count < 10; count++) {
      id = (await call('create_memory', { content, userId: 'a' })).answer.id
    }
    const { answer } = await call('list_memories', { limit: 10 })
    expect(JSON.stringify(answer).length).toBeLessThan(45_000)
    expect(answer.items[0].content).toMatch(
      /4000 of 9808 characters: get_memory has all of them\]$/,
    )
    expect((await call('get_memory', { id })).answer.content).toBe(content)
  })

  test('a call counts like its operation: quota, usage, and the window of its class', async () => {
    const { key } = await service.newKey({ plan: 'free', limits: { ...UNLIMITED, search: 2 } })
    const { call } = await connect(key)
    const used = async () => {
      const { headers } = await apiClient(service.address, key)('GET', '/v1/entities')
      return headers.get('x-quota-used')
    }
    await call('create_memory', { content: 'x', userId: 'a' })
    await call('search_memories', { query: 'x' })
    await call('list_entities')
    await call('get_memory', { id: 'mem_none' })
    expect(await used()).toBe('2')
    await call('search_memories', { query: 'x' })
    const { answer, isError } = await call('search_memories', { query: 'x' })
    expect(isError).toBe(true)
    expect(answer.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfter: expect.any(Number),
    })
    expect(await used()).toBe('3')
  })

  test('the console counts a call as the operation that it is, and a refusal by its code', async () => {
    const { id, key } = await service.newKey()
    const { call } = await connect(key)
    await call('create_memory', { content: 'x', userId: 'a' })
    await call('list_entities')
    await call('list_entities')
    await call('get_memory', { id: 'mem_none' })
    await postMessage(service.address, key, [PING])
    await service.service.usageJournal.settled()
    const day = new Date(service.service.clock.now()).toISOString().slice(0, 10)
    const { statistics } = service.service.store.console
    const read = await statistics.read(id, { from: day, to: day })
    expect(Object.fromEntries(read.map(({ kind, count }) => [kind, count]))).toEqual({
      'memories.create': 1,
      'entities.list': 2,
      'error:MEMORY_NOT_FOUND': 1,
      'error:VALIDATION_ERROR': 1,
    })
  })

  test('a quota that is used up is told to the agent, and nothing is stored', async () => {
    const { id, key } = await service.newKey({ plan: 'free' })
    const { store, clock } = service.service
    const month = new Date(clock.now()).toISOString().slice(0, 7)
    await store.usage.add([{ keyId: id, month, operations: 1_000, lastUsedAt: 1 }])
    const { answer } = await (await connect(key)).call('create_memory', {
      content: 'x',
      userId: 'a',
    })
    expect(answer.error).toMatchObject({ code: 'QUOTA_EXCEEDED', limit: 1_000 })
  })

  test('keys see their own data only, and a revoked one sees nothing at once', async () => {
    const [mine, theirs] = [await service.newKey(), await service.newKey()]
    const { answer: stored } = await (await connect(mine.key)).call('create_memory', {
      content: 'A secret.',
      userId: 'a',
    })
    const other = await connect(theirs.key)
    expect((await other.call('search_memories', { query: 'A secret.' })).answer.results).toEqual([])
    expect((await other.call('get_memory', { id: stored.id })).isError).toBe(true)
    expect((await other.call('delete_memory', { id: stored.id })).isError).toBe(true)
    await service.service.store.keys.revoke(theirs.id)
    await expect(other.call('list_memories')).rejects.toThrow()
    expect(await postMessage(service.address, theirs.key, PING)).toMatchObject({
      status: 401,
      code: 'API_KEY_REVOKED',
    })
  })
})
