// Ways in without a link: signing in, and signing up where that is open.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Passwords } from '../../console/passwords.ts'
import { ConsoleClient, joinConsole, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

let clock: SetClock
let service: TestService
let waits: number[]
beforeEach(() => {
  clock = setClock()
  waits = []
})

/** For the tests that need no other one. */
async function startService(): Promise<void> {
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    clock.pass(ms)
  }
  service = await runService({ clock, wait })
  onTestFinished(() => service[Symbol.asyncDispose]())
}

const visitor = () => new ConsoleClient(service.address)

describe('signing in', () => {
  test('a wrong password and an unknown address are answered alike', async () => {
    await startService()
    await setUpConsole(service, 'admin@example.com')
    const wrong = await visitor().post('/sign-in', { email: 'admin@example.com', password: 'no' })
    const nobody = await visitor().post('/sign-in', { email: 'nobody@example.com', password: 'no' })
    expect(wrong).toMatchObject({ status: 401, code: 'WRONG_CREDENTIALS' })
    expect(nobody.text).toBe(wrong.text)
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  test('guessing is slowed down more and more, and locks nobody out', async () => {
    await startService()
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

  test('guessing the password of an account from a session of it is slowed down as well', async () => {
    await startService()
    const admin = await setUpConsole(service)
    const guess = { currentPassword: 'no', newPassword: 'x'.repeat(12) }
    for (let n = 0; n < 6; n += 1) {
      expect(await admin.post('/password', guess)).toMatchObject({ code: 'WRONG_PASSWORD' })
    }
    expect(waits).toEqual([250, 500])
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
    await startService()
    await setUpConsole(service, 'ömer@пример.рф')
    const domains = ['пример.рф', 'Пример.РФ', 'xn--e1afmkfd.xn--p1ai']
    for (const email of [`ömer@${domains[0]}`, `Ömer@${domains[1]}`, `O\u0308MER@${domains[2]}`]) {
      for (let n = 0; n < 2; n += 1) await visitor().post('/sign-in', { email, password: 'no' })
    }
    expect(waits).toEqual([250, 500])
  })

  test('who was invited in one spelling of the domain signs in with the other, as browsers send it', async () => {
    await startService()
    await setUpConsole(service)
    await joinConsole(service, 'dora@пример.рф')
    for (const email of ['dora@пример.рф', 'dora@xn--e1afmkfd.xn--p1ai']) {
      const answer = await visitor().post('/sign-in', { email, password: PASSWORD })
      expect(answer.body, email).toMatchObject({ account: { email: 'dora@пример.рф' } })
    }
  })

  test('the letter case of the address does not matter', async () => {
    await startService()
    await setUpConsole(service, 'Admin@Example.com')
    const client = visitor()
    const answer = await client.post('/sign-in', { email: 'aDMIN@eXAMPLE.COM', password: PASSWORD })
    expect(answer.status).toBe(200)
    expect((await client.get('/session')).body).toMatchObject({
      account: { email: 'Admin@Example.com' },
    })
  })

  test('no answer ever holds a password or its hash', async () => {
    await startService()
    const admin = await setUpConsole(service)
    for (const path of ['/session', '/accounts', '/sessions']) {
      expect((await admin.get(path)).text).not.toMatch(/scrypt|password/i)
    }
  })

  test('no log holds a password, or what opens a session, a link or the data of a key', async () => {
    const logged: string[] = []
    await using talkative = await runService({
      settings: { MNEMOGRAPH_LOG_LEVEL: 'debug' },
      logTo: { write: (line) => logged.push(line) },
    })
    const admin = await setUpConsole(talkative)
    const { url } = Object((await admin.post('/invitations', { email: 'b@example.com' })).body)
    const { secret } = Object((await admin.post('/keys', { name: 'k', plan: 'free' })).body)
    const token = new URL(url).hash.slice(1)
    await admin.post('/links/look', { token })
    await admin.post('/links/use', { token })
    await admin.post('/sign-in', { email: 'admin@example.com', password: 'a WRONG one' })
    await admin.post('/sign-in', { email: 'no address', password: PASSWORD })
    const log = logged.join('')
    expect(log).toContain('/console/api/sign-in')
    for (const each of [PASSWORD, 'a WRONG one', admin.cookie?.split('=')[1], token, secret]) {
      expect(each).toBeDefined()
      expect(log).not.toContain(each)
    }
  })

  test('takes turns with all of its site: an IPv6 address by its /48', async () => {
    await using behind = await runService({ settings: { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' } })
    const { accounts } = behind.console
    const signIn = accounts.signIn.bind(accounts)
    const networks: string[] = []
    accounts.signIn = (email, password, from) => {
      networks.push(from.network)
      return signIn(email, password, from)
    }
    await setUpConsole(behind, 'a@example.com')
    for (const address of ['2001:db8:1:1::5', '2001:db8:1:2::6', '192.0.2.7']) {
      const client = new ConsoleClient(behind.address, { 'x-forwarded-for': address })
      await client.post('/sign-in', { email: 'a@example.com', password: PASSWORD })
    }
    expect(networks).toEqual(['2001:db8:1::/48', '2001:db8:1::/48', '192.0.2.7'])
  })

  test('makes a hash anew whose parameters are not those of today, and no other', async () => {
    await startService()
    await setUpConsole(service, 'a@example.com')
    const { accounts } = service.service.store.console
    const [made] = await accounts.list()
    const password = async () => (await accounts.list())[0]?.password ?? ''
    const signIn = () => visitor().post('/sign-in', { email: 'a@example.com', password: PASSWORD })
    const parameters = (hash = '') => hash.split('$').slice(0, 4)

    const weaker = await new Passwords({ log2N: 2, r: 1, p: 1 }).hash(PASSWORD, {
      network: '',
      isExpected: false,
    })
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
    await startService()
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

test('a password is chosen with 12 to 256 characters, whatever way it is chosen', async () => {
  await using open = await runService({ settings: { MNEMOGRAPH_CONSOLE_SIGN_UP: 'open' } })
  const admin = await setUpConsole(open, 'admin@example.com')
  let current = PASSWORD
  const ways = {
    async link(password: string) {
      const { token } = (await open.console.links.invite(`${password.length}@example.com`)) ?? {}
      return new ConsoleClient(open.address).post('/links/use', { token, password })
    },
    signUp: (password: string) =>
      new ConsoleClient(open.address).post('/sign-up', {
        email: `${password.length}@example.org`,
        password,
      }),
    async change(newPassword: string) {
      const answer = await admin.post('/password', { currentPassword: current, newPassword })
      if (answer.status === 200) current = newPassword
      return answer
    },
  }
  for (const [way, choose] of Object.entries(ways)) {
    for (const length of [11, 257]) {
      expect(await choose('x'.repeat(length)), `${way}: ${length}`).toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    }
    for (const length of [12, 256]) {
      expect((await choose('x'.repeat(length))).code, `${way}: ${length}`).toBe('')
    }
  }
})
