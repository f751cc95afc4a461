// Ways in: set-up, invitations, forgotten passwords, sign-in and sign-up, as a browser asks for them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LINK_LIFE_MS } from '../../console/links.ts'
import { Passwords } from '../../console/passwords.ts'
import { ConsoleClient, joinConsole, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

let clock: SetClock
let service: TestService
let waits: number[]
beforeEach(async () => {
  clock = setClock()
  waits = []
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    clock.pass(ms)
  }
  service = await runService({ clock, wait })
})
afterEach(() => service[Symbol.asyncDispose]())

const visitor = () => new ConsoleClient(service.address)
const setUpToken = async () => (await service.console.links.setUp())?.token ?? ''
const first = (token: string, email = 'a@example.com', password = PASSWORD) =>
  visitor().post('/links/use', { token, email, password })

describe('set-up', () => {
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
    expect(LINK_LIFE_MS['set-up']).toBe(30 * 60 * 1000)
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
  test('an invitation names an address, and makes one member with that and its plans', async () => {
    const admin = await setUpConsole(service)
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

  test('they are listed while they are open, and can be withdrawn', async () => {
    const admin = await setUpConsole(service)
    const { id, body } = await admin.post('/invitations', { email: 'bea@example.com' })
    expect((await admin.get('/invitations')).body).toMatchObject({
      items: [{ id, email: 'bea@example.com', plans: ['free'] }],
    })
    expect((await admin.post(`/invitations/${id}/withdraw`)).status).toBe(200)
    expect(await admin.post(`/invitations/${id}/withdraw`)).toMatchObject({ status: 404 })
    const token = new URL(Object(body).url).hash.slice(1)
    expect(await visitor().post('/links/use', { token, password: PASSWORD })).toMatchObject({
      code: 'LINK_NOT_VALID',
    })
  })

  test('nobody is invited who has an account, whatever the letter case', async () => {
    const admin = await setUpConsole(service, 'admin@example.com')
    expect(await admin.post('/invitations', { email: 'ADMIN@example.com' })).toMatchObject({
      code: 'EMAIL_TAKEN',
    })
  })

  test('a member may do nothing of what administrators do', async () => {
    await setUpConsole(service)
    const member = await joinConsole(service, 'bea@example.com')
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

describe('signing in', () => {
  test('a wrong password and an unknown address are answered alike', async () => {
    await setUpConsole(service, 'admin@example.com')
    const wrong = await visitor().post('/sign-in', { email: 'admin@example.com', password: 'no' })
    const nobody = await visitor().post('/sign-in', { email: 'nobody@example.com', password: 'no' })
    expect(wrong).toMatchObject({ status: 401, code: 'WRONG_CREDENTIALS' })
    expect(nobody.text).toBe(wrong.text)
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  test('guessing is slowed down more and more, and locks nobody out', async () => {
    await setUpConsole(service, 'admin@example.com')
    for (let n = 0; n < 9; n += 1) {
      const answer = await visitor().post('/sign-in', {
        email: 'admin@example.com',
        password: 'no',
      })
      expect(answer.code).toBe('WRONG_CREDENTIALS')
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000])
    const right = { email: 'admin@example.com', password: PASSWORD }
    expect((await visitor().post('/sign-in', right)).status).toBe(200)
    expect(waits).toHaveLength(6)
  })

  test('a try whose turn is too far away is refused, and told when that comes', async () => {
    const email = 'admin@example.com'
    // No time passes: as if all tries came at once.
    await using crowded = await runService({ clock, wait: async () => undefined })
    await setUpConsole(crowded, email)
    const tryAgain = () =>
      new ConsoleClient(crowded.address).post('/sign-in', { email, password: 'no' })
    let answer = await tryAgain()
    for (let n = 0; n < 20 && answer.status === 401; n += 1) answer = await tryAgain()
    expect(answer).toMatchObject({ status: 429, code: 'TOO_MANY_ATTEMPTS' })
    const { retryAfter } = Object(answer.body).error
    expect(retryAfter).toBeGreaterThan(0)
    expect(answer.headers.get('retry-after')).toBe(String(retryAfter))
  })

  test('to guess under other spellings of the address gains nothing', async () => {
    await setUpConsole(service, 'ömer@example.com')
    for (const email of ['ömer@example.com', 'Ömer@Example.com', 'O\u0308MER@example.com']) {
      for (let n = 0; n < 2; n += 1) await visitor().post('/sign-in', { email, password: 'no' })
    }
    expect(waits).toEqual([250, 500])
  })

  test('the letter case of the address does not matter', async () => {
    await setUpConsole(service, 'Admin@Example.com')
    const client = visitor()
    const answer = await client.post('/sign-in', { email: 'aDMIN@eXAMPLE.COM', password: PASSWORD })
    expect(answer.status).toBe(200)
    expect((await client.get('/session')).body).toMatchObject({
      account: { email: 'Admin@Example.com' },
    })
  })

  test('no answer and no log ever holds a password or its hash', async () => {
    const admin = await setUpConsole(service)
    for (const path of ['/session', '/accounts', '/sessions']) {
      expect((await admin.get(path)).text).not.toMatch(/scrypt|password/i)
    }
  })

  test('makes a hash anew whose parameters are not those of today, and no other', async () => {
    await setUpConsole(service, 'a@example.com')
    const { accounts } = service.service.store.console
    const [made] = await accounts.list()
    const password = async () => (await accounts.list())[0]?.password ?? ''
    const signIn = () => visitor().post('/sign-in', { email: 'a@example.com', password: PASSWORD })
    const parameters = (hash = '') => hash.split('$').slice(0, 4)

    const weaker = await new Passwords({ log2N: 2, r: 1, p: 1 }).hash(PASSWORD)
    const { session } = service.console.sessions.begin({ address: '', userAgent: '' })
    const exchange = { compared: made?.password ?? '', renewed: weaker }
    await accounts.signIn({ ...session, accountId: made?.id ?? '' }, exchange)
    expect((await signIn()).status).toBe(200)
    const anew = await password()
    expect(parameters(anew)).toEqual(parameters(made?.password))
    expect(parameters(anew)).not.toEqual(parameters(weaker))
    expect((await signIn()).status).toBe(200)
    expect(await password()).toBe(anew)
  })
})

describe('signing up', () => {
  const asking = { email: 'new@example.com', password: PASSWORD }

  test('is closed unless the setting opens it', async () => {
    await setUpConsole(service)
    expect(await visitor().post('/sign-up', asking)).toMatchObject({ code: 'SIGN_UP_CLOSED' })
  })

  test('open, it makes members, one for each address, but never the first account', async () => {
    await using open = await runService({
      settings: { MNEMOGRAPH_CONSOLE_SIGN_UP: 'open' },
    })
    const client = () => new ConsoleClient(open.address)
    expect(await client().post('/sign-up', asking)).toMatchObject({ code: 'SIGN_UP_CLOSED' })
    await setUpConsole(open)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client().post('/sign-up', asking)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 201)?.body).toMatchObject({
      account: { role: 'member', plans: ['free'] },
    })
  })
})
