/**
 * Idempotency-Key on the three creates: one record however often and however fast it is sent, the
 * stored answer afterwards, and no way to bend one key to another request.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { expectError, expectInvalid } from './harness/errors.ts'
import { createRecords, type Records, someUser } from './harness/operations.ts'
import { quotaUsed, spendQuota } from './harness/quota.ts'
import { memoryOf, memoryPageOf } from './harness/records.ts'
import { describeManaged, freshClient } from './harness/service.ts'

let client: Client
let records: Records

const send = (path: string, body: unknown, key: string, by = client): Promise<Answer> =>
  by.post(path, body, { 'idempotency-key': key })

const same = ({ status, text }: Answer) => ({ status, text })

describeManaged('an idempotency key', () => {
  beforeAll(async () => {
    client = await freshClient()
    records = await createRecords(client)
  })

  const metadata = { b: 1, a: [null] }
  const creates: [string, () => object][] = [
    [
      '/v1/memories',
      () => ({ content: 'Once only.', userId: someUser(), tags: ['t', 't'], metadata }),
    ],
    ['/v1/entities', () => ({ name: 'Once', type: 'EVENT', description: '', metadata: {} })],
    [
      '/v1/relations',
      () => ({ sourceId: records.source.id, targetId: records.target.id, type: 'ONCE', metadata }),
    ],
  ]

  test.each(creates)(
    'an idempotency key sent twice to POST %s makes one record and one answer',
    async (path, make) => {
      const [key, body] = [randomUUID(), make()]
      const first = await send(path, body, key)
      expect(first.status).toBe(201)
      expect(same(await send(path, body, key))).toEqual(same(first))
      expect(same(await send(path, body, key))).toEqual(same(first))
    },
  )

  test('a replay makes no second record', async () => {
    const body = { content: 'One record.', userId: someUser() }
    const key = randomUUID()
    for (let index = 0; index < 3; index += 1) await send('/v1/memories', body, key)
    const list = await client.get(`/v1/memories?userId=${body.userId}`)
    expect(memoryPageOf(list.body).pagination.total).toBe(1)
  })

  test('twenty requests with one key at the same moment make one record', async () => {
    const body = { content: 'Sent in a burst.', userId: someUser() }
    const key = randomUUID()
    const before = await quotaUsed(client)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('/v1/memories', body, key)),
    )
    for (const answer of answers) expect(same(answer)).toEqual(same(answers[0] ?? answer))
    expect(answers[0]?.status).toBe(201)
    const list = await client.get(`/v1/memories?userId=${body.userId}`)
    expect(memoryPageOf(list.body).pagination.total).toBe(1)
    expect(await quotaUsed(client)).toBe(before + 2)
  })

  test('of parallel requests with one key and different bodies exactly one succeeds', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send('/v1/entities', { name: `Variant ${index}`, type: 'OTHER' }, key),
      ),
    )
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(refused.length).toBe(9)
    for (const answer of refused) expectError(answer, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('a replay draws on the rate limit but not on the quota', async () => {
    const body = { name: 'Counted once', type: 'OTHER' }
    const key = randomUUID()
    const first = await send('/v1/entities', body, key)
    const replay = await send('/v1/entities', body, key)
    const left = (answer: Answer) => numberHeader(answer, 'x-ratelimit-remaining')
    expect(left(replay)).toBe(left(first) - 1)
    expect(numberHeader(replay, 'x-quota-used')).toBe(numberHeader(first, 'x-quota-used'))
    expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('an idempotency key with another body is refused with 409', async () => {
    const key = randomUUID()
    const body = { name: 'First', type: 'OTHER' }
    const first = await send('/v1/entities', body, key)
    const reused = await send('/v1/entities', { ...body, name: 'Second' }, key)
    expectError(reused, 'IDEMPOTENCY_KEY_REUSED')
    expect(same(await send('/v1/entities', body, key))).toEqual(same(first))
  })

  test('an idempotency key on another route is refused with 409', async () => {
    const key = randomUUID()
    const both = { name: 'Both', type: 'OTHER', content: 'Both.', userId: 'u' }
    expect((await send('/v1/entities', both, key)).status).toBe(201)
    expectError(await send('/v1/memories', both, key), 'IDEMPOTENCY_KEY_REUSED')
  })

  test('a refusal is not stored: the corrected request succeeds with the same key', async () => {
    const key = randomUUID()
    expectError(await send('/v1/entities', { type: 'OTHER' }, key), 'NAME_REQUIRED')
    expect((await send('/v1/entities', { name: 'Fixed', type: 'OTHER' }, key)).status).toBe(201)
    const late = randomUUID()
    const body = { sourceId: 'ent_none', targetId: records.target.id, type: 'KNOWS' }
    expectError(await send('/v1/relations', body, late), 'SOURCE_ENTITY_NOT_FOUND')
    const good = { ...body, sourceId: records.source.id }
    expect((await send('/v1/relations', good, late)).status).toBe(201)
  })

  test('an answer is replayed after its record was deleted', async () => {
    const key = randomUUID()
    const body = { content: 'Here and gone.', userId: someUser() }
    const first = await send('/v1/memories', body, key)
    const { id } = memoryOf(first.body)
    await client.delete(`/v1/memories/${id}`)
    expect(same(await send('/v1/memories', body, key))).toEqual(same(first))
    expectError(await client.get(`/v1/memories/${id}`), 'MEMORY_NOT_FOUND')
  })

  test('an answer is replayed when the quota is spent', async () => {
    const own = await freshClient({ plan: 'free' })
    const [key, body] = [randomUUID(), { name: 'Early', type: 'OTHER' }]
    const first = await send('/v1/entities', body, key, own)
    await spendQuota(own)
    expect(same(await send('/v1/entities', body, key, own))).toEqual(same(first))
    const fresh = await send('/v1/entities', body, randomUUID(), own)
    expect(fresh.status).toBe(403)
  })

  test('a replay over the rate limit is refused like any request', async () => {
    const own = await freshClient({ limits: { write: 1 } })
    const [key, body] = [randomUUID(), { name: 'Early', type: 'OTHER' }]
    expect((await send('/v1/entities', body, key, own)).status).toBe(201)
    expect((await send('/v1/entities', body, key, own)).status).toBe(429)
  })

  test('an idempotency key belongs to its API key: another one makes its own record', async () => {
    const other = await freshClient()
    const [key, body] = [randomUUID(), { name: 'Shared words', type: 'OTHER' }]
    const one = await send('/v1/entities', body, key)
    const two = await send('/v1/entities', body, key, other)
    expect(two.status).toBe(201)
    expect(two.text).not.toBe(one.text)
  })

  test('equal requests without an idempotency key are never joined', async () => {
    const body = { content: 'Twice on purpose.', userId: someUser() }
    await client.post('/v1/memories', body)
    await client.post('/v1/memories', body)
    const list = await client.get(`/v1/memories?userId=${body.userId}`)
    expect(memoryPageOf(list.body).pagination.total).toBe(2)
  })

  test('an idempotency key may have 1 to 255 visible characters', async () => {
    const tail = randomUUID()
    for (const key of ['~', `!${tail}`, tail.padEnd(255, 'x')]) {
      const answer = await send('/v1/entities', { name: 'Edge', type: 'OTHER' }, key)
      expect(answer.status).toBe(201)
    }
  })

  test('an empty, over-long or invisible idempotency key is refused, never ignored', async () => {
    for (const key of ['', 'x'.repeat(256), 'two words', 'caf\u00e9']) {
      const answer = await send('/v1/entities', { name: 'Edge', type: 'OTHER' }, key)
      expectInvalid(answer, 'Idempotency-Key')
    }
  })

  test('an idempotency key means nothing on a search, which is answered anew', async () => {
    const userId = someUser()
    const key = randomUUID()
    const search = () => send('/v1/memories/search', { query: 'tide', userId, threshold: 0 }, key)
    expect((await search()).body).toEqual({ results: [] })
    await client.post('/v1/memories', { content: 'The tide table.', userId })
    expect((await search()).text).toContain('The tide table.')
  })
})
