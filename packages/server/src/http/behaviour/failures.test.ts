// When the model or the store cannot do its part: the right status, nothing stored, nothing charged.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { StoreError } from '../../storage/store.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { runService } from '../../testing/running-service.ts'

const MEMORY = { content: 'c', userId: 'u' }
const SECRET = 'SECRET-CANARY /var/lib/x.db SELECT * FROM memories'

let call: Call
/** What the model does instead of embedding. */
let failure: (() => never) | undefined
const fake = fakeEmbedder()
const service = await runService({
  embedder: {
    ...fake,
    embedMemory: async (content) => failure?.() ?? fake.embedMemory(content),
    embedQuery: async (query) => failure?.() ?? fake.embedQuery(query),
  },
})
beforeEach(async () => {
  failure = undefined
  call = apiClient(service.address, (await service.newKey({ plan: 'free' })).key)
})
afterAll(() => service[Symbol.asyncDispose]())

const total = async () => Object(Object((await call('GET', '/v1/memories')).body).pagination).total
const used = async () => (await call('GET', '/v1/entities')).headers.get('x-quota-used')

test.each([
  ['is away', () => new EmbedderUnavailable(SECRET), 503, 'SERVICE_UNAVAILABLE'],
  ['has a bug', () => new TypeError(SECRET), 500, 'INTERNAL_ERROR'],
  ['throws something odd', () => SECRET, 500, 'INTERNAL_ERROR'],
])(
  'when the model %s, nothing is stored or charged, and the caller learns no detail',
  async (_, cause, status, code) => {
    failure = () => {
      throw cause()
    }
    const answers = [
      await call('POST', '/v1/memories', { json: MEMORY }),
      await call('POST', '/v1/memories/search', { json: { query: 'q' } }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status, code })
      expect(answer.text).not.toContain('SECRET')
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
      expect(answer.headers.get('x-quota-used')).toBe('0')
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    }
    failure = undefined
    expect(await used()).toBe('0')
    expect(await total()).toBe(0)
  },
)

test('while the model is away everything that needs none goes on', async () => {
  failure = () => {
    throw new EmbedderUnavailable('away')
  }
  expect(await call('POST', '/v1/entities', { json: { name: 'n', type: 'OTHER' } })).toMatchObject({
    status: 201,
  })
  expect(await call('GET', '/v1/memories')).toMatchObject({ status: 200 })
})

test('units that failed operations gave back can be spent by others, and not one more', async () => {
  const { id, key } = await service.newKey({ plan: 'free' })
  const charge = { keyId: id, month: new Date().toISOString().slice(0, 7) }
  await service.service.store.usage.add([{ ...charge, operations: 990, lastUsedAt: 1 }])
  const mine = apiClient(service.address, key)
  const create = () => mine('POST', '/v1/memories', { json: MEMORY })
  const together = (count: number) => Promise.all(Array.from({ length: count }, create))
  const away = () => {
    throw new EmbedderUnavailable('away')
  }
  failure = away
  expect((await together(30)).every(({ status }) => status === 503)).toBe(true)
  failure = undefined
  const statuses = (await together(30)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(10)
  expect(statuses.filter((status) => status === 403)).toHaveLength(20)
})

test.each([
  ['full', 507, 'STORAGE_FULL', null],
  ['unavailable', 503, 'SERVICE_UNAVAILABLE', '1'],
  ['fault', 500, 'INTERNAL_ERROR', null],
] as const)(
  'when the store is %s, the answer is %i and the unit is given back',
  async (kind, status, code, retryAfter) => {
    const { store } = service.service
    const forSpace = store.forSpace
    const fail = async () => {
      throw new StoreError(kind, new Error(SECRET))
    }
    store.forSpace = (space) => {
      const real = forSpace(space)
      return {
        ...real,
        memories: { ...real.memories, insert: fail, find: fail, remove: fail },
      }
    }
    try {
      for (const answer of [
        await call('POST', '/v1/memories', { json: MEMORY }),
        await call('GET', '/v1/memories/mem_x'),
        await call('DELETE', '/v1/memories/mem_x'),
      ]) {
        expect(answer).toMatchObject({ status, code })
        expect(answer.text).not.toContain('SECRET')
        expect(answer.headers.get('retry-after')).toBe(retryAfter)
      }
    } finally {
      store.forSpace = forSpace
    }
    expect(await used()).toBe('0')
    expect(await total()).toBe(0)
  },
)

test('when keys cannot be looked up nobody is told that a key is wrong', async () => {
  const { keys } = service.service.store
  const findByHash = keys.findByHash
  keys.findByHash = async () => {
    throw new StoreError('unavailable', new Error(SECRET))
  }
  try {
    const answer = await call('GET', '/v1/entities')
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(answer.headers.get('x-ratelimit-limit')).toBe('20')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('20')
  } finally {
    keys.findByHash = findByHash
  }
})
