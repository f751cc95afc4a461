// What an administrator is shown of accounts, invitations and links.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LINK_LIFE_MS } from '../../console/links.ts'
import { hashToken } from '../../console/secrets.ts'
import { PLANS } from '../../contract/plans.ts'
import { toTimestamp } from '../../core/timestamp.ts'
import {
  type ConsoleClient,
  joinConsole,
  PASSWORD,
  setUpConsole,
} from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

const PUBLIC_URL = 'https://memory.example.com'
const BEA = 'bea@example.com'

let clock: SetClock
let service: TestService
let admin: ConsoleClient
beforeEach(async () => {
  clock = setClock()
  service = await runService({ clock, settings: { MNEMOGRAPH_PUBLIC_URL: PUBLIC_URL } })
  admin = await setUpConsole(service)
})
afterEach(() => service[Symbol.asyncDispose]())

const LINK = expect.stringMatching(/^https:\/\/memory\.example\.com\/console\/link#[\w-]{22}$/)

test('every account is listed by its address, its role and its plans, and by nothing else', async () => {
  const id = expect.stringMatching(/^acc_/)
  const createdAt = toTimestamp(clock.now())
  clock.pass(1_000)
  await joinConsole(service, BEA)
  expect((await admin.get('/accounts')).body).toEqual({
    items: [
      {
        id,
        email: 'admin@example.com',
        role: 'administrator',
        plans: PLANS,
        createdAt,
      },
      { id, email: BEA, role: 'member', plans: ['free'], createdAt: toTimestamp(clock.now()) },
    ],
  })
})

test('an invitation says whom it is for, what for and until when, and leaves the list when it is over', async () => {
  const createdAt = toTimestamp(clock.now())
  const expiresAt = toTimestamp(clock.now() + LINK_LIFE_MS.invitation)
  const issued = await admin.post('/invitations', { email: BEA, plans: ['hobby', 'hobby'] })
  expect(issued).toMatchObject({ status: 201 })
  expect(issued.body).toEqual({ id: issued.id, url: LINK, email: BEA, expiresAt })
  expect((await admin.get('/invitations')).body).toEqual({
    items: [{ id: issued.id, email: BEA, plans: ['hobby'], createdAt, expiresAt }],
  })
  clock.pass(LINK_LIFE_MS.invitation)
  await admin.post('/sign-in', { email: 'admin@example.com', password: PASSWORD })
  expect((await admin.get('/invitations')).body).toEqual({ items: [] })
})

test('a link that has run out is forgotten, with the address that it was for', async () => {
  const { body } = await admin.post('/invitations', { email: BEA })
  const tokenHash = hashToken(String(Object(body).url).split('#')[1] ?? '')
  const { links } = service.service.store.console
  clock.pass(LINK_LIFE_MS.invitation - 1)
  await service.console.sweep()
  expect(await links.find(tokenHash, clock.now())).toMatchObject({ email: BEA })
  clock.pass(1)
  await service.console.sweep()
  // As long as it is kept it is found by an earlier time.
  expect(await links.find(tokenHash, 0)).toBeUndefined()
})

test('a link for a forgotten password says whose it is and until when', async () => {
  const { body } = await (await joinConsole(service, BEA)).get('/session')
  const issued = await admin.post(`/accounts/${Object(body).account.id}/reset-link`)
  expect(issued).toMatchObject({ status: 201 })
  const expiresAt = toTimestamp(clock.now() + LINK_LIFE_MS.reset)
  expect(issued.body).toEqual({ id: issued.id, url: LINK, email: BEA, expiresAt })
  expect(await admin.post('/accounts/acc_none/reset-link')).toMatchObject({
    status: 404,
    code: 'ACCOUNT_NOT_FOUND',
  })
})

test('whoever tries a new key is shown the address under which the service is known', async () => {
  const { body } = await admin.post('/keys', { name: 'app', plan: 'free' })
  const asked = await admin.get(`/keys/${Object(body).key.id}/first-request`)
  expect(asked.body).toMatchObject({ baseAddress: PUBLIC_URL })
})
