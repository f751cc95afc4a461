// The console's own limits: of a session, and of an address without one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConsoleClient, joinConsole, setUpConsole } from '../../testing/console-client.ts'
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

test('a session that runs wild is slowed down, and no other one', async () => {
  const other = await joinConsole(service, 'bea@example.com')
  const answers = []
  for (let n = 0; n < 610; n += 1) answers.push(await admin.get('/session'))
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(refused).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.get('/session')).status).toBe(200)
  clock.pass(60_000)
  expect((await admin.get('/session')).status).toBe(200)
})

test('an address that knocks without a session is slowed down, and nobody who has one', async () => {
  const visitor = new ConsoleClient(service.address)
  const answers = await Promise.all(Array.from({ length: 121 }, () => visitor.get('/session')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect(await visitor.get('/start')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  expect((await admin.get('/session')).status).toBe(200)
  clock.pass(60_000)
  expect((await visitor.get('/session')).status).toBe(401)
})
