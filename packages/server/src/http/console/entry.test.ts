// Ways in by a link: set-up, invitations and forgotten passwords, as a browser asks for them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LINK_LIFE_MS } from '../../console/links.ts'
import { ConsoleClient, joinConsole, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

let clock: SetClock
let service: TestService
async function start(): Promise<void> {
  clock = setClock()
  service = await runService({ clock, wait: async (ms) => clock.pass(ms) })
}
const stop = () => service[Symbol.asyncDispose]()

test('a link works for half an hour at set-up, for an hour after a reset, for a week by invitation', () => {
  const MINUTE_MS = 60_000
  expect(LINK_LIFE_MS).toEqual({
    'set-up': 30 * MINUTE_MS,
    reset: 60 * MINUTE_MS,
    invitation: 7 * 24 * 60 * MINUTE_MS,
  })
})

const visitor = () => new ConsoleClient(service.address)
const setUpToken = async () => (await service.console.links.setUp())?.token ?? ''
const first = (token: string, email = 'a@example.com', password = PASSWORD) =>
  visitor().post('/links/use', { token, email, password })

describe('set-up', () => {
  beforeEach(start)
  afterEach(stop)

  test('twenty people with the link at once make one account', async () => {
    const token = await setUpToken()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => first(token, `person${n}@example.com`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['', 'LINK_NOT_VALID']))
    expect(await service.service.store.console.accounts.list()).toHaveLength(1)
  })

  test('a used link opens nothing, and no second link can be made', async () => {
    const token = await setUpToken()
    expect((await first(token)).status).toBe(201)
    expect(await first(token, 'b@example.com')).toMatchObject({ status: 410 })
    expect(await service.console.links.setUp()).toBeUndefined()
  })

  test('the link runs out after 30 minutes', async () => {
    const token = await setUpToken()
    clock.pass(LINK_LIFE_MS['set-up'] - 1)
    expect((await visitor().post('/links/look', { token })).body).toMatchObject({ kind: 'set-up' })
    clock.pass(1)
    expect(await visitor().post('/links/look', { token })).toMatchObject({ code: 'LINK_NOT_VALID' })
    expect(await first(token)).toMatchObject({ code: 'LINK_NOT_VALID' })
  })

  test('a newer link takes the place of an older one', async () => {
    const older = await setUpToken()
    const newer = await setUpToken()
    expect(await first(older)).toMatchObject({ code: 'LINK_NOT_VALID' })
    expect((await first(newer)).status).toBe(201)
  })

  test('its token has 128 bits, and only its hash is in the files', async () => {
    const token = await setUpToken()
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    const { store } = service.service
    expect(JSON.stringify(await store.console.links.invitations(0))).not.toContain(token)
  })

  test('the first account is the administrator and has the keys that were nobody’s', async () => {
    const before = await service.newKey()
    const admin = await setUpConsole(service)
    const after = await service.newKey()
    expect((await admin.get('/session')).body).toMatchObject({ account: { role: 'administrator' } })
    const { body } = await admin.get('/keys')
    expect(
      Object(body)
        .items.map(({ id }: { id: string }) => id)
        .toSorted(),
    ).toEqual([before.id, after.id].toSorted())
  })

  test('what is missing or wrong is named, and leaves the link as it was', async () => {
    const token = await setUpToken()
    const tries = [
      { json: { token, password: PASSWORD }, field: 'email' },
      { json: { token, email: 'no address', password: PASSWORD }, field: 'email' },
      {
        json: { token, email: `${'a'.repeat(245)}@b.example`, password: PASSWORD },
        field: 'email',
      },
      { json: { token, email: 'a@example.com', password: 'x'.repeat(11) }, field: 'password' },
    ]
    for (const { json, field } of tries) {
      expect((await visitor().post('/links/use', json)).body).toMatchObject({
        error: { code: 'VALIDATION_ERROR', field },
      })
    }
    expect((await first(token, 'a@example.com', 'x'.repeat(12))).status).toBe(201)
  })

  test('a visitor is told whether there is an account yet', async () => {
    expect((await visitor().get('/start')).body).toMatchObject({ needsSetUp: true })
    await setUpConsole(service)
    expect((await visitor().get('/start')).body).toMatchObject({
      needsSetUp: false,
      signUpIsOpen: false,
      connectionIsSafe: true,
    })
  })
})

describe('invitations', () => {
  let admin: ConsoleClient
  beforeAll(async () => {
    await start()
    admin = await setUpConsole(service, 'admin@example.com')
  })
  afterAll(stop)

  test('an invitation names an address, and makes one member with that and its plans', async () => {
    const invited = await admin.post('/invitations', {
      email: 'Bea@Example.com',
      plans: ['free', 'hobby'],
    })
    expect(invited.status).toBe(201)
    const url: string = Object(invited.body).url
    expect(url.startsWith(`${service.address}/console/link#`)).toBe(true)
    const token = new URL(url).hash.slice(1)
    expect((await visitor().post('/links/look', { token })).body).toMatchObject({
      kind: 'invitation',
      email: 'Bea@Example.com',
    })
    const use = { token, email: 'other@example.com', password: PASSWORD }
    const uses = await Promise.all(
      Array.from({ length: 5 }, () => visitor().post('/links/use', use)),
    )
    const [made] = uses.filter(({ status }) => status === 201)
    expect(uses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(made?.body).toMatchObject({
      account: { email: 'Bea@Example.com', role: 'member', plans: ['free', 'hobby'] },
    })
  })

  test('an invitation is for some plans, each of them once', async () => {
    const invite = (plans: unknown) => admin.post('/invitations', { email: 'b@example.com', plans })
    for (const plans of [[], ['gold'], null]) {
      expect(await invite(plans)).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    const { status, id } = await invite(['hobby', 'free', 'hobby', 'free'])
    expect(status).toBe(201)
    expect((await admin.get('/invitations')).body).toMatchObject({
      items: [{ plans: ['hobby', 'free'] }],
    })
    await admin.post(`/invitations/${id}/withdraw`)
  })

  test('they are listed while they are open, and can be withdrawn', async () => {
    const { id, body } = await admin.post('/invitations', { email: 'cora@example.com' })
    expect((await admin.get('/invitations')).body).toMatchObject({
      items: [{ id, email: 'cora@example.com', plans: ['free'] }],
    })
    expect((await admin.post(`/invitations/${id}/withdraw`)).status).toBe(200)
    expect(await admin.post(`/invitations/${id}/withdraw`)).toMatchObject({ status: 404 })
    const token = new URL(Object(body).url).hash.slice(1)
    expect(await visitor().post('/links/use', { token, password: PASSWORD })).toMatchObject({
      code: 'LINK_NOT_VALID',
    })
  })

  test('nobody is invited who has an account, whatever the letter case', async () => {
    expect(await admin.post('/invitations', { email: 'ADMIN@example.com' })).toMatchObject({
      code: 'EMAIL_TAKEN',
    })
  })

  test('an invitation of somebody who has got an account since says so', async () => {
    const link = await service.console.links.invite('dora@пример.рф')
    const from = { address: '127.0.0.1', network: '127.0.0.1', userAgent: '' }
    await service.console.accounts.signUp('dora@xn--e1afmkfd.xn--p1ai', PASSWORD, from)
    expect(
      await visitor().post('/links/use', { token: link?.token, password: PASSWORD }),
    ).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' })
  })

  test('a member may do nothing of what administrators do', async () => {
    const member = await joinConsole(service, 'member@example.com')
    const answers = [
      await member.get('/accounts'),
      await member.get('/invitations'),
      await member.post('/invitations', { email: 'c@example.com' }),
      await member.post('/invitations/lnk_x/withdraw'),
      await member.post('/accounts/acc_x/reset-link'),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, code: 'NOT_ADMINISTRATOR' })
    }
  })
})

describe('a forgotten password', () => {
  beforeEach(start)
  afterEach(stop)

  test('a reset link sets a new one, ends all sessions, and works once, within an hour', async () => {
    const admin = await setUpConsole(service)
    const member = await joinConsole(service, 'bea@example.com')
    const { body } = await member.get('/session')
    const issue = () => admin.post(`/accounts/${Object(body).account.id}/reset-link`)
    const tokenOf = async () => new URL(Object((await issue()).body).url).hash.slice(1)

    const late = await tokenOf()
    clock.pass(LINK_LIFE_MS.reset)
    expect(
      await visitor().post('/links/use', { token: late, password: 'x'.repeat(12) }),
    ).toMatchObject({ code: 'LINK_NOT_VALID' })
    const again = await visitor()
    expect(
      (await again.post('/sign-in', { email: 'admin@example.com', password: PASSWORD })).status,
    ).toBe(200)
    const fresh = await again.post(`/accounts/${Object(body).account.id}/reset-link`)
    const token = new URL(Object(fresh.body).url).hash.slice(1)
    const reset = visitor()
    expect((await reset.post('/links/use', { token, password: 'a brand new one' })).status).toBe(
      201,
    )
    expect((await reset.get('/session')).body).toMatchObject({
      account: { email: 'bea@example.com' },
    })
    expect(await member.get('/session')).toMatchObject({ code: 'NOT_SIGNED_IN' })
    expect(await visitor().post('/links/use', { token, password: 'x'.repeat(12) })).toMatchObject({
      code: 'LINK_NOT_VALID',
    })
    const signIn = (password: string) =>
      visitor().post('/sign-in', { email: 'bea@example.com', password })
    expect((await signIn(PASSWORD)).code).toBe('WRONG_CREDENTIALS')
    expect((await signIn('a brand new one')).status).toBe(200)
  })
})
