/** The monthly quota: what counts, what does not, what the headers say, and the exact end of it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { header, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { expectError, expectInvalid, expectRateLimited } from './harness/errors.ts'
import { createMemory, createRecords, type Records } from './harness/operations.ts'
import { nextMonth, quotaUsed, spendQuota } from './harness/quota.ts'
import { describeManaged, freshClient } from './harness/service.ts'

describeManaged('the quota headers', () => {
  test.each([
    ['free', '1000'],
    ['hobby', '50000'],
  ] as const)('the plan %s has a quota of %s operations', async (plan, limit) => {
    const answer = await (await freshClient({ plan })).get('/v1/memories')
    expect(header(answer, 'x-quota-limit')).toBe(limit)
    expect(header(answer, 'x-quota-used')).toBe('1')
    expect(header(answer, 'x-quota-reset')).toBe(nextMonth(new Date()))
  })

  test('an unlimited plan has no quota limit header, but counts and tells the reset', async () => {
    const client = await freshClient({ plan: 'enterprise' })
    for (const used of ['1', '2', '3']) {
      const answer = await client.get('/v1/memories')
      expect(answer.headers.has('x-quota-limit')).toBe(false)
      expect(header(answer, 'x-quota-used')).toBe(used)
      expect(header(answer, 'x-quota-reset')).toBe(nextMonth(new Date()))
    }
  })

  test('quota headers are on every answer to a valid key, errors included', async () => {
    const client = await freshClient({ plan: 'free', limits: { search: 1 } })
    const search = () => client.post('/v1/memories/search', { query: 'x' })
    const answers = [
      await search(),
      await search(),
      await client.post('/v1/memories', {}),
      await client.get('/v1/memories/mem_none'),
      await client.get('/v1/nowhere'),
      await client.call('PUT', '/v1/memories'),
      await client.call('POST', '/v1/entities', { raw: 'x', headers: { 'content-type': 'a/b' } }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 429, 400, 404, 404, 405, 415])
    for (const answer of answers) {
      expect(header(answer, 'x-quota-limit')).toBe('1000')
      expect(header(answer, 'x-quota-used')).toBe('1')
      expect(header(answer, 'x-quota-reset')).toBe(nextMonth(new Date()))
    }
  })
})

describeManaged('what the quota counts', () => {
  let client: Client
  let records: Records
  beforeAll(async () => {
    client = await freshClient({ plan: 'free', limits: { write: 15 } })
    records = await createRecords(client)
  })

  test('an operation that fails does not count', async () => {
    const before = await quotaUsed(client)
    expectError(await client.get('/v1/memories/mem_none'), 'MEMORY_NOT_FOUND')
    expectError(await client.delete('/v1/relations/rel_none'), 'RELATION_NOT_FOUND')
    expectError(await client.post('/v1/entities', {}), 'NAME_REQUIRED')
    expectInvalid(await client.get('/v1/memories?page=0'), 'page')
    expectInvalid(await client.post('/v1/memories/search', {}), 'query')
    const body = { sourceId: 'ent_none', targetId: records.target.id, type: 'KNOWS' }
    expectError(await client.post('/v1/relations', body), 'SOURCE_ENTITY_NOT_FOUND')
    expect(await quotaUsed(client)).toBe(before)
  })

  test('a rate limited operation does not count', async () => {
    const own = await freshClient({ limits: { read: 2 } })
    await own.get('/v1/memories')
    await own.get('/v1/memories')
    for (let index = 0; index < 5; index += 1) {
      const answer = await own.get('/v1/memories')
      expectRateLimited(answer)
      expect(header(answer, 'x-quota-used')).toBe('2')
    }
  })

  test('listing entities and listing relations are free', async () => {
    const before = await quotaUsed(client)
    for (const path of ['/v1/entities', '/v1/relations', '/v1/entities?search=a']) {
      expect(numberHeader(await client.get(path), 'x-quota-used')).toBe(before)
    }
  })

  test('a HEAD request counts as its GET', async () => {
    const before = await quotaUsed(client)
    const memory = `/v1/memories/${records.memory.id}`
    expect(numberHeader(await client.call('HEAD', memory), 'x-quota-used')).toBe(before + 1)
    expect(numberHeader(await client.call('HEAD', '/v1/memories'), 'x-quota-used')).toBe(before + 2)
    expect(numberHeader(await client.call('HEAD', '/v1/entities'), 'x-quota-used')).toBe(before + 2)
    await client.call('HEAD', '/v1/memories/mem_none')
    expect(await quotaUsed(client)).toBe(before + 2)
  })

  test('each key has a count of its own', async () => {
    const other = await freshClient({ plan: 'free' })
    expect(await quotaUsed(other)).toBe(0)
    await createMemory(other, { content: 'one', userId: 'u' })
    expect(await quotaUsed(other)).toBe(1)
  })
})

describeManaged('the end of the quota', () => {
  let client: Client
  let records: Records
  beforeAll(async () => {
    client = await freshClient({ plan: 'free', limits: { search: 10 } })
    records = await createRecords(client)
    await spendQuota(client, 1)
  })

  test('the thousandth operation is served and the next one refused', async () => {
    const last = await client.get(`/v1/memories/${records.memory.id}`)
    expect(last.status).toBe(200)
    expect(header(last, 'x-quota-used')).toBe('1000')
    const refused = await client.get(`/v1/memories/${records.memory.id}`)
    const resetAt = nextMonth(new Date())
    expectError(refused, 'QUOTA_EXCEEDED', { currentUsage: 1000, limit: 1000, resetAt })
  })

  describe('once it is spent', () => {
    beforeAll(() => spendQuota(client))

    test('validation still comes before the quota', async () => {
      expectInvalid(await client.post('/v1/memories/search', { query: 5 }), 'query')
      expectInvalid(await client.get('/v1/memories?limit=x'), 'limit')
      expectError(await client.post('/v1/entities', {}), 'NAME_REQUIRED')
    })

    test('a record that does not exist is refused by the quota, a route that does not is 404', async () => {
      const refusal = { currentUsage: 1000, limit: 1000, resetAt: nextMonth(new Date()) }
      expectError(await client.get('/v1/memories/mem_none'), 'QUOTA_EXCEEDED', refusal)
      expectError(await client.delete('/v1/entities/nonsense'), 'QUOTA_EXCEEDED', refusal)
      const body = { sourceId: 'ent_a', targetId: 'ent_b', type: 'KNOWS' }
      expectError(await client.post('/v1/relations', body), 'QUOTA_EXCEEDED', refusal)
      expectError(await client.get('/v1/nowhere'), 'NOT_FOUND')
      expectError(await client.call('PATCH', '/v1/memories'), 'METHOD_NOT_ALLOWED')
    })

    test('refusals draw on the rate limit and leave the count as it is', async () => {
      const search = () => client.post('/v1/memories/search', { query: 'x' })
      const [one, two] = [await search(), await search()]
      expect([one.status, two.status]).toEqual([403, 403])
      const left = (answer: typeof one) => numberHeader(answer, 'x-ratelimit-remaining')
      expect(left(two)).toBe(left(one) - 1)
      expect(await quotaUsed(client)).toBe(1000)
    })

    test('another key is served as before', async () => {
      const other = await freshClient({ plan: 'free' })
      expect((await other.get('/v1/memories')).status).toBe(200)
    })
  })
})
