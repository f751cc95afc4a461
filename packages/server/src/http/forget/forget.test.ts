// Forgetting a user, as a client sees it on both stores: every memory of the user, and nothing else.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const server = inject('postgresUrl')
const PATH = '/forget/memories'

describe.each(server === undefined ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (store) => {
  let service: TestService
  let call: Call
  beforeAll(async () => {
    if (store === 'sqlite') service = await runService()
    else {
      const database = await newDatabase(server ?? '')
      service = await runService({ settings: { DATABASE_URL: database.url } })
    }
  })
  beforeEach(async () => {
    call = apiClient(service.address, (await service.newKey()).key)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const remember = (content: string, userId: string, as = call) =>
    as('POST', '/v1/memories', { json: { content, userId, agentId: 'a', tags: ['t'] } })
  const contents = async (as = call) => {
    const { body } = await as('GET', '/v1/memories?limit=100')
    return Object(body).items.map(({ content }: { content: string }) => content)
  }
  const totalOf = async (userId: string) => {
    const { body } = await call('GET', `/v1/memories?userId=${encodeURIComponent(userId)}`)
    return Object(body).pagination.total
  }
  const forget = (userId: string) => call('POST', PATH, { json: { userId } })

  test('every memory of the user is gone from get, list and search, and no other one', async () => {
    const stranger = apiClient(service.address, (await service.newKey()).key)
    await remember('maria with another key', 'maria', stranger)
    const { id } = await remember('maria drinks coffee', 'maria')
    for (let n = 0; n < 40; n += 1) await remember(`maria number ${n}`, 'maria')
    const others = ['Maria', 'maria ', ' maria', 'mari', 'maria1', 'maría', 'paul']
    for (const other of others) await remember(`coffee of ${other}`, other)

    expect((await forget('maria')).body).toEqual({ deleted: 41, remaining: 0 })
    expect(await call('GET', `/v1/memories/${id}`)).toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    expect(await contents()).toEqual(others.map((other) => `coffee of ${other}`).reverse())
    expect(await totalOf('maria')).toBe(0)
    const json = { query: 'maria drinks coffee', threshold: 0, limit: 100 }
    const { body } = await call('POST', '/v1/memories/search', { json })
    const users = Object(body).results.map(({ userId }: { userId: string }) => userId)
    expect(users.toSorted()).toEqual(others.toSorted())
    expect(await contents(stranger)).toEqual(['maria with another key'])

    expect((await forget('maria')).body).toEqual({ deleted: 0, remaining: 0 })
    await remember('maria is back', 'maria')
    expect(await totalOf('maria')).toBe(1)
  })

  test('it costs one write and nothing of the quota, and works when that is used up', async () => {
    const key = await service.newKey({
      plan: 'free',
      limits: { read: 100, write: 3, search: 30 },
    })
    call = apiClient(service.address, key.key)
    const month = new Date().toISOString().slice(0, 7)
    const charge = { keyId: key.id, month }
    await service.service.store.usage.add([{ ...charge, operations: 999, lastUsedAt: 1 }])
    await remember('the last operation of the month', 'maria')
    const answer = await forget('maria')
    expect(answer).toMatchObject({ status: 200, body: { deleted: 1, remaining: 0 } })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('1')
    expect(answer.headers.get('x-quota-used')).toBe('1000')
    expect(await call('GET', '/v1/memories')).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await forget('maria')).toMatchObject({ status: 200 })
    expect(await forget('maria')).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
  })

  test('a body that says anything else than whom to forget deletes nothing', async () => {
    await remember('stays', 'maria')
    const field = (name: string) => ({ status: 400, body: { error: { field: name } } })
    const refused: [unknown, object][] = [
      [{}, field('userId')],
      [{ userId: '' }, field('userId')],
      [{ userId: ' ' }, field('userId')],
      [{ userId: null }, field('userId')],
      [{ userId: ['maria'] }, field('userId')],
      [{ userId: 'm\u0000' }, field('userId')],
      [{ userId: 'x'.repeat(257) }, field('userId')],
      [{ userId: 'maria', agentId: 'other' }, field('agentId')],
      [{ userId: 'maria', tags: ['other'] }, field('tags')],
      [{ userId: 'maria', toString: 'other' }, field('toString')],
      [{ user_id: 'maria' }, field('userId')],
      [['maria'], { status: 400, code: 'VALIDATION_ERROR' }],
      ['maria', { status: 400, code: 'VALIDATION_ERROR' }],
    ]
    for (const [json, expected] of refused) {
      expect(await call('POST', PATH, { json }), JSON.stringify(json)).toMatchObject(expected)
    }
    expect(await contents()).toEqual(['stays'])
  })

  test('only a valid key is let in, by POST and with JSON', async () => {
    await remember('stays', 'maria')
    const json = { userId: 'maria' }
    const nobody = apiClient(service.address)
    expect(await nobody('POST', PATH, { json })).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await nobody('POST', '/forget/unknown', { json })).toMatchObject({ status: 401 })
    expect(await call('POST', '/forget/unknown', { json })).toMatchObject({ code: 'NOT_FOUND' })
    const get = await call('GET', PATH)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const bytes = 'userId=maria'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await call('POST', PATH, { bytes, headers })).toMatchObject({ status: 415 })
    const text = { 'content-type': 'text/plain' }
    expect(await call('POST', PATH, { bytes, headers: text })).toMatchObject({ status: 415 })
    expect(await contents()).toEqual(['stays'])
  })
})
