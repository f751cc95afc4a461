// The console's own limits: of a session, and of an address without one.
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ADDRESS_REQUESTS_MAX, SESSION_REQUESTS_MAX } from '../../console/console.ts'
import { ConsoleClient, joinConsole, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

let clock: SetClock
let service: TestService
let admin: ConsoleClient
beforeEach(() => {
  clock = setClock()
})

/** For the tests that need no other one. */
async function startService(): Promise<void> {
  service = await runService({ clock })
  onTestFinished(() => service[Symbol.asyncDispose]())
  admin = await setUpConsole(service)
}

test('a session may ask six hundred times a minute, an address without one a fifth of that', () => {
  expect([SESSION_REQUESTS_MAX, ADDRESS_REQUESTS_MAX]).toEqual([600, 120])
})

test('a session that runs wild is slowed down, and no other one', async () => {
  await startService()
  const other = await joinConsole(service, 'bea@example.com')
  const own = new ConsoleClient(service.address)
  await own.post('/sign-in', { email: 'admin@example.com', password: PASSWORD })
  for (let n = 0; n < SESSION_REQUESTS_MAX; n += 1) {
    expect((await admin.get('/session')).status, `request ${n + 1}`).toBe(200)
  }
  const refused = await admin.get('/session')
  expect(refused).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.get('/session')).status).toBe(200)
  expect((await own.get('/session')).status).toBe(200)
  clock.pass(60_000)
  expect((await admin.get('/session')).status).toBe(200)
})

test('an address that knocks without a session is slowed down, and nobody who has one', async () => {
  await startService()
  // What it took to get the session is over.
  clock.pass(60_000)
  const visitor = new ConsoleClient(service.address)
  const together = Array.from({ length: ADDRESS_REQUESTS_MAX + 10 }, () => visitor.get('/session'))
  const statuses = (await Promise.all(together)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(ADDRESS_REQUESTS_MAX)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect(await visitor.get('/start')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  expect((await admin.get('/session')).status).toBe(200)
  clock.pass(60_000)
  expect((await visitor.get('/session')).status).toBe(401)
})

test.each(['/session', '/start'])(
  'whoever has many addresses of IPv6 is one who knocks at %s, by their /64',
  async (path) => {
    const settings = { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' }
    await using behind = await runService({ clock, settings })
    const from = (address: string) =>
      new ConsoleClient(behind.address, { 'x-forwarded-for': address }).get(path)
    for (let n = 0; n < ADDRESS_REQUESTS_MAX; n += 1) {
      expect((await from(`2001:db8:1:1::${n}`)).status).not.toBe(429)
    }
    expect(await from('2001:db8:1:1:f::1')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    expect((await from('2001:db8:1:2::1')).status).not.toBe(429)
  },
)
