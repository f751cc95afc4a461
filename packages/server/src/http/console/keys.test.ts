// Keys made in the console against the live API: used, revoked, rotated, purged.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, apiClient, type Call } from '../../testing/api-client.ts'
import { joinConsole, setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'
import { setClock } from '../../testing/set-clock.ts'

const clock = setClock()
const service = await runService({ clock })
const admin = await setUpConsole(service)
afterAll(() => service[Symbol.asyncDispose]())

type Made = { id: string; secret: string; call: Call; answer: Answer }
async function make(
  { client = admin, name = 'app', plan = 'free', path = '/keys' } = {},
  json: object = { name, plan },
): Promise<Made> {
  const answer = await client.post(path, json)
  const { key, secret } = Object(answer.body)
  return { id: key?.id, secret, call: apiClient(service.address, secret), answer }
}
const memory = (content: string) => ({ json: { content, userId: 'u' } })
const listed = async (id: string) => {
  const { body } = await admin.get('/keys')
  return Object(body).items.find((key: { id: string }) => key.id === id)
}

describe('a key', () => {
  test('works at once, is shown whole once, and later by its first characters', async () => {
    const { id, secret, call, answer } = await make({ name: '<b>my & key</b>' })
    expect(answer.status).toBe(201)
    expect((await call('GET', '/v1/memories')).status).toBe(200)
    const shown = await listed(id)
    expect(shown).toMatchObject({
      name: '<b>my & key</b>',
      shortId: id.slice(-6),
      prefix: secret.slice(0, 8),
      status: 'active',
      plan: 'free',
      usage: { used: 1, limit: 1000, resetAt: '2026-12-01T00:00:00.000Z' },
      lastUsedAt: '2026-11-21T00:00:00.000Z',
    })
    await call('GET', '/v1/memories')
    expect((await admin.get(`/keys/${id}`)).body).toMatchObject({ key: { usage: { used: 2 } } })
    for (const path of ['/keys', `/keys/${id}`, `/keys/${id}/first-request`, `/keys/${id}/usage`]) {
      expect((await admin.get(path)).text).not.toContain(secret)
    }
  })

  test('has a plan that its owner may choose, and a name of 256 characters at most', async () => {
    const member = await joinConsole(service, 'bea@example.com')
    expect((await make({ client: member, plan: 'free' })).answer.status).toBe(201)
    const { answer } = await make({ client: member, plan: 'enterprise' })
    expect(answer).toMatchObject({ status: 403, code: 'PLAN_NOT_ALLOWED' })
    const unlimited = await make({ plan: 'enterprise' })
    expect(unlimited.answer.body).toMatchObject({ key: { usage: { limit: null } } })
    expect((await make({ plan: 'gold' })).answer).toMatchObject({ code: 'VALIDATION_ERROR' })
    for (const name of [' ', 'x'.repeat(257)]) {
      expect((await make({ name })).answer).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  test('is refused from the very next request after it was revoked, and stays listed', async () => {
    const { id, call } = await make()
    for (let n = 0; n < 5; n += 1) expect((await call('GET', '/v1/entities')).status).toBe(200)
    expect((await admin.post(`/keys/${id}/revoke`)).body).toMatchObject({ status: 'revoked' })
    expect(await call('GET', '/v1/entities')).toMatchObject({ code: 'API_KEY_REVOKED' })
    expect(await listed(id)).toMatchObject({ status: 'revoked', isPurged: false })
    expect((await admin.post(`/keys/${id}/revoke`)).status).toBe(200)
  })

  test('its first request is seen by whoever asks', async () => {
    const { id, call, secret } = await make()
    const ask = async () => (await admin.get(`/keys/${id}/first-request`)).body
    expect(await ask()).toEqual({
      baseAddress: service.address,
      prefix: secret.slice(0, 8),
      lastUsedAt: null,
    })
    await call('POST', '/v1/memories', memory('hello'))
    await expect.poll(async () => Object(await ask()).lastUsedAt).toBe('2026-11-21T00:00:00.000Z')
  })
})

describe('rotation', () => {
  test('the data stays, the month’s usage goes along, and the old key is refused', async () => {
    const old = await make({ plan: 'hobby' })
    const { id } = await old.call('POST', '/v1/memories', memory('stays here'))
    for (let n = 0; n < 6; n += 1) await old.call('GET', `/v1/memories/${id}`)
    const next = await make({ path: `/keys/${old.id}/rotate` }, {})
    expect(next.answer.status).toBe(201)
    expect(next.answer.body).toMatchObject({
      key: { name: 'app', plan: 'hobby', usage: { used: 7 }, status: 'active' },
    })
    expect(await old.call('GET', '/v1/memories')).toMatchObject({ code: 'API_KEY_REVOKED' })
    const answer = await next.call('GET', `/v1/memories/${id}`)
    expect(answer.body).toMatchObject({ content: 'stays here' })
    expect(answer.headers.get('x-quota-used')).toBe('8')
    expect(await listed(old.id)).toMatchObject({ status: 'revoked', replacedBy: next.id })
    const third = await make({ path: `/keys/${next.id}/rotate` }, { name: 'third' })
    const list = await third.call('GET', '/v1/memories')
    expect(list.headers.get('x-quota-used')).toBe('9')
    expect(await listed(third.id)).toMatchObject({ name: 'third', usage: { used: 9 } })
  })

  test('the new key has rate limits of its own, whatever the old one has drawn on them', async () => {
    const old = await make({})
    const remaining = async ({ call }: typeof old) =>
      (await call('GET', '/v1/entities')).headers.get('x-ratelimit-remaining')
    expect([await remaining(old), await remaining(old)]).toEqual(['99', '98'])
    const next = await make({ path: `/keys/${old.id}/rotate` }, {})
    expect([await remaining(next), await remaining(next)]).toEqual(['99', '98'])
  })

  test('of twenty at once, one succeeds', async () => {
    const old = await make()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => admin.post(`/keys/${old.id}/rotate`)),
    )
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['', 'KEY_REPLACED']))
  })

  test('brings a key back that was revoked by mistake', async () => {
    const old = await make()
    await old.call('POST', '/v1/memories', memory('not lost'))
    await admin.post(`/keys/${old.id}/revoke`)
    const next = await make({ path: `/keys/${old.id}/rotate` }, {})
    expect((await next.call('GET', '/v1/memories')).text).toContain('not lost')
  })
})

describe('a purge', () => {
  const purge = (id: string, name = 'app') => admin.post(`/keys/${id}/purge`, { name })

  test('needs a revoked key and its name, and then leaves nothing', async () => {
    const { id, call } = await make()
    await call('POST', '/v1/memories', memory('CANARY-IN-PURGE'))
    const [a, b] = [
      await call('POST', '/v1/entities', { json: { name: 'a', type: 'OTHER' } }),
      await call('POST', '/v1/entities', { json: { name: 'b', type: 'OTHER' } }),
    ]
    await call('POST', '/v1/relations', {
      json: { sourceId: a.id, targetId: b.id, type: 'KNOWS' },
    })
    expect(await purge(id)).toMatchObject({ code: 'KEY_ACTIVE' })
    await admin.post(`/keys/${id}/revoke`)
    for (const other of ['App', 'app'.repeat(1_000)]) {
      expect(await purge(id, other)).toMatchObject({ code: 'NAME_DOES_NOT_MATCH' })
    }
    expect((await admin.get(`/keys/${id}`)).body).toMatchObject({
      data: { memories: 1, entities: 2, relations: 1 },
    })
    expect((await purge(id)).body).toEqual({
      isDone: true,
      remaining: { memories: 0, entities: 0, relations: 0 },
    })
    expect(await listed(id)).toMatchObject({ status: 'revoked', isPurged: true })
    expect(
      (await admin.post(`/keys/${id}/memories/search`, { query: 'CANARY-IN-PURGE' })).body,
    ).toMatchObject({ results: [] })
    for (const name of readdirSync(service.directory)) {
      expect(readFileSync(`${service.directory}/${name}`).includes('CANARY-IN-PURGE'), name).toBe(
        false,
      )
    }
    expect(await make({ path: `/keys/${id}/rotate` }, {})).toMatchObject({
      answer: { code: 'KEY_PURGED' },
    })
  })

  test('of a replaced key would take the data of the one that replaced it: refused', async () => {
    const old = await make()
    await old.call('POST', '/v1/memories', memory('stays'))
    const next = await make({ path: `/keys/${old.id}/rotate` }, {})
    expect(await purge(old.id)).toMatchObject({ code: 'KEY_REPLACED' })
    expect((await next.call('GET', '/v1/memories')).text).toContain('stays')
  })

  test('of more than a step takes goes on until it is done', async () => {
    const { id, call } = await make({ plan: 'enterprise' })
    const { body } = await call('GET', '/v1/memories')
    expect(Object(body).pagination.total).toBe(0)
    for (let n = 0; n < 450; n += 1) {
      await admin.post(`/keys/${id}/entities`, { name: `e${n}`, type: 'OTHER' })
    }
    await admin.post(`/keys/${id}/revoke`)
    let answer = await purge(id)
    for (let n = 0; n < 20 && !Object(answer.body).isDone; n += 1) answer = await purge(id)
    expect(answer.body).toMatchObject({ isDone: true, remaining: { entities: 0 } })
  })

  test('says after a second how far it came', async () => {
    const { id } = await make()
    await admin.post(`/keys/${id}/revoke`)
    const { console: stored } = service.service.store
    const forAccount = stored.forAccount.bind(stored)
    let steps = 0
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(stored, 'forAccount').mockImplementation((account) => ({
      ...forAccount(account),
      async purge() {
        steps += 1
        clock.pass(400)
        return { isDone: steps === 5 }
      },
    }))
    expect((await purge(id)).body).toMatchObject({ isDone: false })
    expect(steps).toBe(3)
    expect((await purge(id)).body).toMatchObject({ isDone: true })
    expect(steps).toBe(5)
  })
})

// The last one: sessions are over in the next month.
test('rotating does not refill a quota', async () => {
  const old = await make({ plan: 'free' })
  const { store } = service.service
  const charge = { keyId: old.id, month: '2026-11' }
  await store.usage.add([{ ...charge, operations: 1000, lastUsedAt: 1 }])
  const next = await make({ path: `/keys/${old.id}/rotate` }, {})
  const refused = await next.call('GET', '/v1/memories')
  expect(refused).toMatchObject({ status: 403, code: 'QUOTA_EXCEEDED' })
  clock.pass(15 * 24 * 60 * 60 * 1000)
  expect((await next.call('GET', '/v1/memories')).headers.get('x-quota-used')).toBe('1')
})
