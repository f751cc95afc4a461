// Against the real service: the methods of the SDK are the operations of the contract, all thirteen do what
// they say, and every refusal comes out as an ApiError with what the service told.
import { afterAll, describe, expect, test } from 'vitest'
import { FORGET_PATH } from '../../server/src/contract/forget.ts'
import { OPERATION_IDS, OPERATIONS } from '../../server/src/contract/operations.ts'
import { importAll } from '../../server/src/testing/import-client.ts'
import { runService, type TestService } from '../../server/src/testing/running-service.ts'
import { ApiError, type Fetch, Mnemograph, type MnemographOptions } from './index.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

type KeyOptions = Parameters<TestService['newKey']>[0]

async function clientOf(
  key?: KeyOptions,
  options?: Partial<MnemographOptions>,
): Promise<Mnemograph> {
  const { key: apiKey } = await service.newKey(key)
  return new Mnemograph({ apiKey, baseUrl: service.address, ...options })
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no refusal',
    (error: unknown) => error,
  )

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The methods of an object's classes. */
function methodsOf(object: object): string[] {
  const names: string[] = []
  for (
    let prototype = Object.getPrototypeOf(object);
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    names.push(...Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'))
  }
  return names
}

test('the methods are the thirteen operations, `all` of each kind, and forgetting a user', async () => {
  const mnemograph = await clientOf()
  const methods = Object.entries(mnemograph).flatMap(([noun, records]) =>
    methodsOf(records).map((verb) => `${noun}.${verb}`),
  )
  const nouns = new Set(OPERATION_IDS.map((id) => id.split('.')[0]))
  expect(methods.toSorted()).toEqual(
    [...OPERATION_IDS, ...[...nouns].map((noun) => `${noun}.all`), 'memories.forget'].toSorted(),
  )
})

test('each method asks for the method and path of its operation', async () => {
  const asked: string[] = []
  const { memories, entities, relations } = await clientOf(undefined, {
    fetch: async (url, { method }) => {
      asked.push(`${method} ${new URL(url).pathname}`)
      const pagination = { total: 0, limit: 20 }
      const forgotten = { deleted: 0, remaining: 0 }
      const body = JSON.stringify({ id: 'x', items: [], pagination, results: [], ...forgotten })
      return { status: 200, headers: new Headers(), text: async () => body }
    },
  })
  const memory = { content: 'tea', userId: 'anna' }
  const calls = {
    'memories.create': () => memories.create(memory),
    'memories.search': () => memories.search({ query: 'tea' }),
    'memories.list': () => memories.list(),
    'memories.get': () => memories.get(':id'),
    'memories.delete': () => memories.delete(':id'),
    'entities.create': () => entities.create({ name: 'Anna', type: 'PERSON' }),
    'entities.list': () => entities.list(),
    'entities.get': () => entities.get(':id'),
    'entities.delete': () => entities.delete(':id'),
    'relations.create': () => relations.create({ sourceId: 'a', targetId: 'b', type: 'KNOWS' }),
    'relations.list': () => relations.list(),
    'relations.get': () => relations.get(':id'),
    'relations.delete': () => relations.delete(':id'),
  }
  for (const id of OPERATION_IDS) {
    await calls[id]()
    const { method, path } = OPERATIONS[id]
    expect(decodeURIComponent(asked.pop() ?? '')).toBe(`${method} ${path}`)
    expect(asked).toEqual([])
  }
  await memories.forget({ userId: 'anna' })
  expect(asked).toEqual([`POST ${FORGET_PATH}`])
})

test('memories are created, found, listed, fetched and deleted', async () => {
  const { memories } = await clientOf()
  const given = { content: 'Anna drinks tea', userId: 'anna', tags: ['a', 'b c'] }
  const memory = await memories.create({ ...given, agentId: 'x', metadata: { n: [1, null] } })
  expect(memory).toEqual({
    id: expect.stringMatching(/^mem_/),
    ...given,
    agentId: 'x',
    metadata: { n: [1, null] },
    createdAt: expect.any(String),
    updatedAt: memory.createdAt,
  })
  const other = await memories.create({ content: 'Ben drinks tea', userId: 'ben' })
  const { results } = await memories.search({ query: 'Anna drinks tea', userId: 'anna' })
  expect(results.map(({ id, score }) => [id, score])).toEqual([[memory.id, 1]])
  const page = await memories.list({ tags: ['b c', 'a'], limit: 1 })
  expect(page.items.map(({ id }) => id)).toEqual([memory.id])
  expect(page.pagination).toEqual({ page: 1, limit: 1, total: 1, totalPages: 1 })
  expect((await memories.list({ limit: 1, page: 2 })).items[0]?.id).toBe(memory.id)
  expect((await collect(memories.all({ limit: 1 }))).map(({ id }) => id)).toEqual([
    other.id,
    memory.id,
  ])
  expect(await memories.get(memory.id)).toEqual(memory)
  expect(await memories.delete(memory.id)).toEqual({ success: true, id: memory.id })
  expect(await refusalOf(memories.get(memory.id))).toMatchObject({ code: 'MEMORY_NOT_FOUND' })
})

test('a user is forgotten, and nobody else', async () => {
  const { memories } = await clientOf()
  for (const userId of ['anna', 'ben', 'anna']) await memories.create({ content: 'tea', userId })
  expect(await memories.forget({ userId: 'anna' })).toEqual({ deleted: 2 })
  expect((await memories.list()).items.map(({ userId }) => userId)).toEqual(['ben'])
  expect(await memories.forget({ userId: 'anna' })).toEqual({ deleted: 0 })
  expect(await refusalOf(memories.forget({ userId: '' }))).toMatchObject({
    code: 'VALIDATION_ERROR',
    field: 'userId',
  })
})

test('entities and relations are created, listed, fetched and deleted', async () => {
  const { entities, relations } = await clientOf()
  const anna = await entities.create({ name: 'Anna', type: 'PERSON', description: '' })
  const lisbon = await entities.create({ name: 'Lisbon', type: 'LOCATION', metadata: {} })
  expect(await entities.get(lisbon.id)).toEqual(lisbon)
  expect((await entities.list({ search: 'ann', type: 'PERSON' })).items).toEqual([anna])
  expect((await collect(entities.all())).map(({ name }) => name)).toEqual(['Lisbon', 'Anna'])
  const ends = { sourceId: anna.id, targetId: lisbon.id }
  const relation = await relations.create({ ...ends, type: 'LIVES_IN', metadata: { since: 2020 } })
  const source = { id: anna.id, name: 'Anna', type: 'PERSON' }
  const whole = await relations.get(relation.id)
  expect(whole).toEqual({ ...relation, source, target: expect.objectContaining(lisbonEnd) })
  expect((await relations.list({ type: 'LIVES_IN', sourceId: anna.id })).items).toHaveLength(1)
  expect((await collect(relations.all({ targetId: anna.id }))).length).toBe(0)
  expect(await relations.delete(relation.id)).toEqual({ success: true, id: relation.id })
  expect(await entities.delete(anna.id)).toEqual({ success: true, id: anna.id })
  expect((await entities.list()).pagination.total).toBe(1)
})
const lisbonEnd = { name: 'Lisbon', type: 'LOCATION' }

test('all records of several pages can be deleted while they are read', async () => {
  const { entities } = await clientOf()
  for (let count = 0; count < 25; count += 1) {
    await entities.create({ name: `Entity ${count}`, type: 'OTHER' })
  }
  let deleted = 0
  for await (const { id } of entities.all({ limit: 10 })) {
    await entities.delete(id)
    deleted += 1
  }
  expect(deleted).toBe(25)
  expect((await entities.list()).pagination.total).toBe(0)
})

describe('a refusal', () => {
  test('says its code, status and the id of the request, and which field is wrong', async () => {
    const { memories } = await clientOf()
    const error = await refusalOf(memories.create({ content: 'tea', userId: '' }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'INVALID_USER_ID',
      status: 400,
      message: expect.stringContaining('userId must be'),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await refusalOf(memories.search({ query: 'tea', limit: 0 }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'limit',
    })
  })

  test('of a key that is not valid is the one of the service', async () => {
    const { memories } = new Mnemograph({ apiKey: 'mng_wrong', baseUrl: service.address })
    const error = await refusalOf(memories.list())
    expect(error).toMatchObject({ code: 'INVALID_API_KEY', status: 401 })
    expect(String(error)).not.toContain('mng_wrong')
  })

  test('of a rate limit says how long to wait', async () => {
    const limits = { read: 1, write: 1, search: 1 }
    const { memories } = await clientOf({ limits }, { retries: 0 })
    await memories.list()
    const error = await refusalOf(memories.list())
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429 })
    expect(error).toHaveProperty('retryAfterSeconds', expect.any(Number))
  })

  test('of a used up quota says how much was used, and is not tried again', async () => {
    const { key: apiKey } = await service.newKey({ plan: 'free' })
    const line = `${JSON.stringify({ content: 'tea', userId: 'anna' })}\n`
    await importAll(service.address, apiKey, line.repeat(1000))
    let requests = 0
    const { memories } = new Mnemograph({
      apiKey,
      baseUrl: service.address,
      fetch: (url, request) => {
        requests += 1
        return fetch(url, request)
      },
    })
    expect(await refusalOf(memories.list())).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 403,
      currentUsage: 1000,
      limit: 1000,
      resetAt: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
    })
    expect(requests).toBe(1)
  })

  test('of a path is told apart from a record that does not exist', async () => {
    const { key: apiKey } = await service.newKey()
    const elsewhere = new Mnemograph({ apiKey, baseUrl: `${service.address}/elsewhere` })
    expect(await refusalOf(elsewhere.memories.get('mem_1'))).toMatchObject({ status: 404 })
    expect(await refusalOf(elsewhere.memories.get('mem_1'))).not.toMatchObject({
      code: 'MEMORY_NOT_FOUND',
    })
  })

  test('of an Idempotency-Key with another body is not tried again', async () => {
    const { memories } = await clientOf()
    const idempotencyKey = 'once'
    const memory = { content: 'tea', userId: 'anna' }
    const first = await memories.create(memory, { idempotencyKey })
    expect(await memories.create(memory, { idempotencyKey })).toEqual(first)
    expect(
      await refusalOf(memories.create({ ...memory, userId: 'ben' }, { idempotencyKey })),
    ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 409 })
  })
})

test('a create without a key of its own is a new record each time', async () => {
  const { memories } = await clientOf()
  const memory = { content: 'tea', userId: 'anna' }
  expect((await memories.create(memory)).id).not.toBe((await memories.create(memory)).id)
})

/** Does what is asked, and loses the first answer. */
function losingFetch(): Fetch {
  let isFirst = true
  return async (url, request) => {
    const response = await fetch(url, request)
    if (!isFirst) return response
    isFirst = false
    await response.text()
    throw new TypeError('fetch failed')
  }
}

test('a filter without a value is refused, and nobody is asked', async () => {
  const { memories, entities } = await clientOf(undefined, {
    fetch: () => Promise.reject(new Error('It was asked.')),
  })
  // As it comes from a variable that has none.
  const nobody = Object({ userId: undefined })
  const refused = /^userId is undefined/
  await expect(memories.search({ query: 'tea', ...nobody })).rejects.toThrow(refused)
  await expect(memories.list(nobody)).rejects.toThrow(refused)
  await expect(memories.all(nobody).next()).rejects.toThrow(refused)
  await expect(memories.forget(nobody)).rejects.toThrow(refused)
  await expect(entities.list(Object({ search: undefined }))).rejects.toThrow(TypeError)
})

test('a create whose answer is lost is tried again, and makes one record', async () => {
  const { memories } = await clientOf(undefined, { fetch: losingFetch() })
  const { id } = await memories.create({ content: 'tea', userId: 'anna' })
  expect((await memories.list()).items.map((item) => item.id)).toEqual([id])
})

test('a delete whose answer is lost has succeeded, of every kind of record', async () => {
  const { key: apiKey } = await service.newKey()
  const options = { apiKey, baseUrl: service.address }
  const { memories, entities, relations } = new Mnemograph(options)
  const { id: anna } = await entities.create({ name: 'Anna', type: 'PERSON' })
  const records = [
    ['relations', await relations.create({ sourceId: anna, targetId: anna, type: 'KNOWS' })],
    ['entities', { id: anna }],
    ['memories', await memories.create({ content: 'tea', userId: 'anna' })],
  ] as const
  for (const [kind, { id }] of records) {
    const losing = new Mnemograph({ ...options, fetch: losingFetch() })[kind]
    expect(await losing.delete(id)).toEqual({ success: true, id })
    expect(await refusalOf(losing.delete(id))).toMatchObject({ status: 404 })
  }
})
