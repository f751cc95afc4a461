// An Idempotency-Key makes a create happen once, whatever happens around it.
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Clock } from '../../core/clock.ts'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { runService } from '../../testing/running-service.ts'

const MEMORY = { content: 'c', userId: 'u', metadata: { b: 1, a: [2] }, tags: ['t', 't'] }
const DAY_MS = 24 * 60 * 60 * 1000

let call: Call
/** What the model does before it embeds. */
let beforeEmbedding: (() => Promise<void>) | undefined
let shiftMs = 0
const clock: Clock = {
  now: () => Date.now() + shiftMs,
  monotonic: () => performance.now() + shiftMs,
}
const fake = fakeEmbedder()
const service = await runService({
  clock,
  embedder: {
    ...fake,
    embedMemory: async (content) => {
      await beforeEmbedding?.()
      return fake.embedMemory(content)
    },
  },
})
beforeEach(async () => {
  const { key } = await service.newKey({ plan: 'free' })
  call = apiClient(service.address, key)
  beforeEmbedding = undefined
  shiftMs = 0
})
afterAll(() => service[Symbol.asyncDispose]())

const once = (key: string, json: unknown = MEMORY, path = '/v1/memories') =>
  call('POST', path, { json, headers: { 'idempotency-key': key } })
const used = async () => (await call('GET', '/v1/entities')).headers.get('x-quota-used')
const total = async (noun = 'memories') =>
  Object(Object((await call('GET', `/v1/${noun}`)).body).pagination).total

test('a repeated create of a relation has the same answer, also when its ends are gone', async () => {
  const { id } = await call('POST', '/v1/entities', { json: { name: 'n', type: 'OTHER' } })
  const relation = { sourceId: id, targetId: id, type: 'KNOWS', metadata: { x: null } }
  const first = await once('k', relation, '/v1/relations')
  await call('DELETE', `/v1/entities/${id}`)
  const again = await once('k', relation, '/v1/relations')
  expect(again).toMatchObject({ status: 201, text: first.text })
  expect(await total('relations')).toBe(0)
})

test('white space, unknown fields and the order of all make no other body, that within metadata does', async () => {
  const first = await once('k')
  const { metadata, ...others } = MEMORY
  expect(await once('k', { metadata, ...others })).toMatchObject({ text: first.text })
  const { a, b } = metadata
  expect(await once('k', { ...others, metadata: { a, b } })).toMatchObject({ status: 409 })
  const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
  const bytes = JSON.stringify({ extra: 1, agentId: null, ...MEMORY }, null, 2)
  expect(await call('POST', '/v1/memories', { bytes, headers })).toMatchObject({ text: first.text })
})

test('a body that is not valid is 400 also with a key that was used', async () => {
  await once('k')
  expect(await once('k', { content: 'c' })).toMatchObject({ status: 400, code: 'INVALID_USER_ID' })
})

test('only successes are remembered', async () => {
  beforeEmbedding = () => Promise.reject(new EmbedderUnavailable('away'))
  expect(await once('k')).toMatchObject({ status: 503 })
  const relation = { sourceId: 'x', targetId: 'y', type: 'KNOWS' }
  expect(await once('k', relation, '/v1/relations')).toMatchObject({ status: 404 })
  beforeEmbedding = undefined
  expect(await once('k', { ...MEMORY, content: 'other' })).toMatchObject({ status: 201 })
  expect(await used()).toBe('1')
})

test('when the first of concurrent requests fails, the next one makes the record', async () => {
  const turns = vi.spyOn(service.service.idempotency, 'once')
  onTestFinished(() => turns.mockRestore())
  const { promise: failure, reject } = Promise.withResolvers<void>()
  const embedding = vi.fn(() => failure)
  beforeEmbedding = embedding
  const failing = once('k')
  await expect.poll(() => embedding.mock.calls.length).toBe(1)
  const waiting = Array.from({ length: 5 }, () => once('k'))
  await expect.poll(() => turns.mock.calls.length).toBe(6)
  beforeEmbedding = undefined
  reject(new EmbedderUnavailable('away'))
  expect(await failing).toMatchObject({ status: 503 })
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await total()).toBe(1)
})

test('a key is remembered for 24 hours and then as good as new', async () => {
  const first = await once('k')
  shiftMs = DAY_MS - 60_000
  expect(await once('k')).toMatchObject({ text: first.text })
  shiftMs = DAY_MS + 60_000
  const later = await once('k', { ...MEMORY, content: 'other' })
  expect(later.status).toBe(201)
  expect(later.id).not.toBe(first.id)
})

test('searches and deletes take no notice of the header, not even of a wrong one', async () => {
  const headers = { 'idempotency-key': 'not valid' }
  expect(
    await call('POST', '/v1/memories/search', { json: { query: 'q' }, headers }),
  ).toMatchObject({ status: 200 })
  expect(await call('DELETE', '/v1/memories/nobody', { headers })).toMatchObject({ status: 404 })
})
