// Sessions of the console, seen from outside: how long they last, what ends them, and what they give away.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../core/timestamp.ts'
import { ConsoleClient, joinConsole, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'
import { setClock } from '../../testing/set-clock.ts'
import { LOOPBACK_COOKIE } from './session-cookie.ts'

const MINUTE_MS = 60_000

/** Of the account of a test. */
let email: string
let accounts = 0
const clock = setClock()
const service = await runService({ clock, wait: async () => undefined })
await setUpConsole(service)
beforeEach(() => {
  accounts += 1
  email = `person${accounts}@example.com`
})
afterAll(() => service[Symbol.asyncDispose]())

const enter = () => joinConsole(service, email)

const signIn = async (client = new ConsoleClient(service.address)) => {
  const answer = await client.post('/sign-in', { email, password: PASSWORD })
  expect(answer.status).toBe(200)
  return client
}
const isSignedIn = async (client: ConsoleClient) => (await client.get('/session')).status === 200

describe('a session', () => {
  test('has an id of 256 bits, of which only the hash is in the files', async () => {
    const client = await enter()
    const token = client.cookie?.split('=')[1] ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const files = readdirSync(service.directory).map((name) =>
      readFileSync(join(service.directory, name)),
    )
    expect(files.some((bytes) => bytes.includes(token))).toBe(false)
    const hash = createHash('sha256').update(token).digest()
    expect(files.some((bytes) => bytes.includes(hash))).toBe(true)
  })

  test('is new at every sign-in, and takes nothing from the cookie that came with it', async () => {
    const planted = `${LOOPBACK_COOKIE}=${'A'.repeat(43)}`
    await enter()
    const client = new ConsoleClient(service.address)
    client.cookie = planted
    await signIn(client)
    const own = client.cookie
    expect(own).not.toBe(planted)
    client.cookie = planted
    expect(await isSignedIn(client)).toBe(false)

    client.cookie = own
    await signIn(client)
    const second = client.cookie
    expect(second).not.toBe(own)
    client.cookie = own
    expect(await isSignedIn(client)).toBe(false)
    client.cookie = second
    expect(await isSignedIn(client)).toBe(true)
  })

  test('ends after 30 minutes without a request', async () => {
    const client = await enter()
    clock.pass(30 * MINUTE_MS - 1)
    expect(await isSignedIn(client)).toBe(true)
    clock.pass(29 * MINUTE_MS)
    expect(await isSignedIn(client)).toBe(true)
    clock.pass(30 * MINUTE_MS)
    expect(await isSignedIn(client)).toBe(false)
  })

  test('ends at most a minute before its 30 minutes are over', async () => {
    const client = await enter()
    clock.pass(MINUTE_MS)
    expect(await isSignedIn(client)).toBe(true)
    clock.pass(MINUTE_MS - 1)
    expect(await isSignedIn(client)).toBe(true)
    clock.pass(29 * MINUTE_MS)
    expect(await isSignedIn(client)).toBe(true)
  })

  test('ends after 12 hours, whatever happens', async () => {
    const client = await enter()
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      clock.pass(20 * MINUTE_MS)
      expect(await isSignedIn(client), `after ${minutes} minutes`).toBe(true)
    }
    clock.pass(20 * MINUTE_MS)
    expect(await isSignedIn(client)).toBe(false)
  })

  test('is not kept alive by a page that only waits for a first request', async () => {
    const client = await enter()
    const { body } = await client.post('/keys', { name: 'k', plan: 'free' })
    const { id } = Object(body).key
    for (let minutes = 0; minutes < 25; minutes += 5) {
      clock.pass(5 * MINUTE_MS)
      for (const path of ['first-request', 'usage']) {
        expect((await client.get(`/keys/${id}/${path}`)).status).toBe(200)
      }
    }
    clock.pass(5 * MINUTE_MS)
    expect((await client.get(`/keys/${id}/first-request`)).code).toBe('NOT_SIGNED_IN')
  })

  test('ends on the server at sign-out', async () => {
    const client = await enter()
    const { cookie } = client
    const answer = await client.post('/sign-out')
    expect(answer.status).toBe(200)
    // Browsers take back a cookie alone that was set with the same attributes.
    expect(answer.headers.get('set-cookie')).toBe(
      `${LOOPBACK_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
    )
    client.cookie = cookie
    expect(await isSignedIn(client)).toBe(false)
  })

  test('shows in a list, and can be ended from another one', async () => {
    const here = await enter()
    const there = await signIn()
    const { body } = await here.get('/sessions')
    const [newer, older] = Object(body).items
    expect(newer).toMatchObject({ isCurrent: false, address: '127.0.0.1' })
    expect(older).toMatchObject({ isCurrent: true })
    expect((await here.post(`/sessions/${newer.id}/end`)).status).toBe(200)
    expect(await isSignedIn(there)).toBe(false)
    expect(await isSignedIn(here)).toBe(true)
    expect((await here.post(`/sessions/${newer.id}/end`)).code).toBe('SESSION_NOT_FOUND')
    const third = await signIn()
    await here.post('/sessions/end-others')
    expect([await isSignedIn(third), await isSignedIn(here)]).toEqual([false, true])
  })

  test('that is ended from its own list takes its cookie along', async () => {
    const client = await enter()
    const [{ id }] = Object((await client.get('/sessions')).body).items
    const answer = await client.post(`/sessions/${id}/end`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
  })

  test('shows its times, and leaves the list when it has ended by itself', async () => {
    const here = await enter()
    const after = (minutes: number) => toTimestamp(clock.now() + minutes * MINUTE_MS)
    const times = { createdAt: after(0), lastSeenAt: after(40), endsAt: after(12 * 60) }
    await signIn()
    clock.pass(20 * MINUTE_MS)
    expect(Object((await here.get('/sessions')).body).items).toHaveLength(2)
    clock.pass(20 * MINUTE_MS)
    expect((await here.get('/sessions')).body).toMatchObject({
      items: [{ isCurrent: true, ...times }],
    })
  })

  test('shows the browser by the first 300 characters of what it says', async () => {
    await enter()
    const client = await signIn(
      new ConsoleClient(service.address, { 'user-agent': 'Browser/1.0 '.repeat(100) }),
    )
    const [newest] = Object((await client.get('/sessions')).body).items
    expect(newest.userAgent).toBe('Browser/1.0 '.repeat(25))
  })

  test('of somebody else cannot be ended', async () => {
    const admin = await enter()
    const member = await joinConsole(service, 'bea@example.com')
    const { body } = await admin.get('/sessions')
    const [{ id }] = Object(body).items
    expect((await member.post(`/sessions/${id}/end`)).code).toBe('SESSION_NOT_FOUND')
    await member.post('/sessions/end-others')
    expect(await isSignedIn(admin)).toBe(true)
  })

  test('a changed password ends all others, and this one goes on under a new cookie', async () => {
    const here = await enter()
    const there = await signIn()
    const { cookie } = here
    const change = { currentPassword: PASSWORD, newPassword: 'something else entirely' }
    const wrong = await here.post('/password', { ...change, currentPassword: 'wrong' })
    expect(wrong).toMatchObject({ status: 400, code: 'WRONG_PASSWORD' })
    expect(await isSignedIn(there)).toBe(true)
    expect((await here.post('/password', change)).status).toBe(200)
    expect(here.cookie).not.toBe(cookie)
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
    here.cookie = cookie
    expect(await isSignedIn(here)).toBe(false)
    const client = new ConsoleClient(service.address)
    const old = await client.post('/sign-in', { email, password: PASSWORD })
    expect(old.code).toBe('WRONG_CREDENTIALS')
  })

  test('is forgotten in the store once it has ended by itself', async () => {
    await enter()
    clock.pass(31 * MINUTE_MS)
    await service.console.sweep()
    const account = await service.service.store.console.accounts.findByEmail(email)
    expect(account).toBeDefined()
    expect(await service.service.store.console.sessions.list(account?.id ?? '')).toEqual([])
  })

  test('is not forgotten while it goes on', async () => {
    const client = await enter()
    clock.pass(29 * MINUTE_MS)
    await service.console.sweep()
    expect(await isSignedIn(client)).toBe(true)
  })
})
