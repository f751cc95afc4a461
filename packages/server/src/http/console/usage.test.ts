// What the console shows of a key's use of the API, and what the console itself draws on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { ConsoleClient, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

let clock: SetClock
let service: TestService
let admin: ConsoleClient
beforeEach(async () => {
  clock = setClock()
  service = await runService({ clock })
  admin = await setUpConsole(service)
})
afterEach(() => service[Symbol.asyncDispose]())

async function make() {
  const { key, secret } = Object((await admin.post('/keys', { name: 'app', plan: 'free' })).body)
  return { id: String(key.id), call: apiClient(service.address, secret) }
}

async function reenter(): Promise<ConsoleClient> {
  const client = new ConsoleClient(service.address)
  await client.post('/sign-in', { email: 'admin@example.com', password: PASSWORD })
  return client
}

test('usage counts what the API answered, by day and kind, and nothing of the console', async () => {
  const { id, call } = await make()
  const made = await call('POST', '/v1/memories', { json: { content: 'a', userId: 'u' } })
  await call('POST', '/v1/memories/search', { json: { query: 'a' } })
  await call('GET', `/v1/memories/${made.id}`)
  await call('GET', '/v1/entities')
  await call('GET', '/v1/memories/mem_none')
  await call('POST', '/v1/memories', { json: { content: '' } })
  clock.pass(24 * 60 * 60 * 1000)
  await call('DELETE', `/v1/memories/${made.id}`)
  admin.cookie = (await reenter()).cookie
  await admin.get(`/keys/${id}/memories`)
  await admin.post(`/keys/${id}/memories`, { content: 'by hand', userId: 'u' })
  const { body } = await admin.get(`/keys/${id}/usage`)
  expect(body).toMatchObject({
    month: '2026-11',
    months: ['2026-11'],
    used: 4,
    limit: 1000,
    resetAt: '2026-12-01T00:00:00.000Z',
  })
  const { days } = Object(body)
  expect(days).toHaveLength(22)
  expect(days[0]).toEqual({ day: '2026-11-01', operations: {}, rateLimited: 0, errors: {} })
  expect(days[20]).toEqual({
    day: '2026-11-21',
    operations: {
      'memories.create': 1,
      'memories.search': 1,
      'memories.get': 1,
      'entities.list': 1,
    },
    rateLimited: 0,
    errors: { MEMORY_NOT_FOUND: 1, VALIDATION_ERROR: 1 },
  })
  expect(days[21]).toMatchObject({ operations: { 'memories.delete': 1 } })
  expect((await call('GET', '/v1/entities')).headers.get('x-quota-used')).toBe('4')
})

test('usage counts refusals by the rate limit apart', async () => {
  const { id, call } = await make()
  for (let n = 0; n < 33; n += 1)
    await call('POST', '/v1/memories/search', { json: { query: 'a' } })
  const { body } = await admin.get(`/keys/${id}/usage?month=2026-11`)
  expect(Object(body).days.at(-1)).toMatchObject({
    operations: { 'memories.search': 30 },
    rateLimited: 3,
  })
})

test('the usage of a month that is over is that of its days, and of no other', async () => {
  const { id, call } = await make()
  await call('GET', '/v1/memories')
  clock.pass(10 * 24 * 60 * 60 * 1000)
  await call('POST', '/v1/memories/search', { json: { query: 'a' } })
  admin.cookie = (await reenter()).cookie
  const usageOf = async (month: string) =>
    Object((await admin.get(`/keys/${id}/usage?month=${month}`)).body)
  const november = await usageOf('2026-11')
  expect(november).toMatchObject({ month: '2026-11', months: ['2026-12', '2026-11'], used: 1 })
  expect(november.days).toHaveLength(30)
  expect(november.days[20]).toMatchObject({ operations: { 'memories.list': 1 } })
  expect(november.days[29]).toMatchObject({ day: '2026-11-30', operations: {} })
  const december = await usageOf('2026-12')
  expect(december).toMatchObject({ month: '2026-12', used: 1 })
  expect(december.days).toMatchObject([{ day: '2026-12-01', operations: { 'memories.search': 1 } }])
})

test('the usage of a key that was rotated goes on day by day with the new one', async () => {
  const { id, call } = await make()
  await call('GET', '/v1/memories')
  const { key, secret } = Object((await admin.post(`/keys/${id}/rotate`)).body)
  await apiClient(service.address, secret)('GET', '/v1/memories')
  const { used, days } = Object((await admin.get(`/keys/${key.id}/usage`)).body)
  expect(used).toBe(2)
  expect(days.at(-1)).toMatchObject({ operations: { 'memories.list': 2 } })
})

test('usage is kept for thirteen months', async () => {
  const { id, call } = await make()
  await call('GET', '/v1/memories')
  clock.pass(365 * 24 * 60 * 60 * 1000)
  await service.service.usageJournal.settled()
  await service.console.sweep()
  const months = async () => {
    admin.cookie = (await reenter()).cookie
    return Object((await admin.get(`/keys/${id}/usage`)).body).months
  }
  expect(await months()).toEqual(['2027-11', '2026-11'])
  clock.pass(31 * 24 * 60 * 60 * 1000)
  await service.console.sweep()
  expect(await months()).toEqual(['2027-12'])
})

test('usage of what is no month is refused', async () => {
  const { id } = await make()
  // A date of one of the first hundred years can be taken for one of the twentieth century.
  for (const month of ['2026-13', '2026', 'x', '2026-1', '0000-01', '0099-12']) {
    const { code } = await admin.get(`/keys/${id}/usage?month=${month}`)
    expect(code, month).toBe('VALIDATION_ERROR')
  }
})

test('the running month is the first of those to choose from, also when the clock was a month ahead for a while', async () => {
  const { id, call } = await make()
  clock.step(31 * 24 * 60 * 60 * 1000)
  await call('GET', '/v1/memories')
  clock.step(-31 * 24 * 60 * 60 * 1000)
  await call('GET', '/v1/memories')
  const running = { month: '2026-11', months: ['2026-11'], used: 1 }
  expect((await admin.get(`/keys/${id}/usage`)).body).toMatchObject(running)
  const ahead = { month: '2026-12', months: ['2026-11'], used: 1 }
  expect((await admin.get(`/keys/${id}/usage?month=2026-12`)).body).toMatchObject(ahead)
})
