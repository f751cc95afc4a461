// The cookie of a session: which one a connection calls for, and where there is none.
import { afterAll, expect, test } from 'vitest'
import { ConsoleClient, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { runService } from '../../testing/running-service.ts'
import { CONSOLE_ROUTES } from './mount.ts'
import { LOOPBACK_COOKIE, SECURE_COOKIE } from './session-cookie.ts'

const EMAIL = 'admin@example.com'
const HTTPS = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'memory.example.com' }

const service = await runService({ settings: { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' } })
const admin = await setUpConsole(service, EMAIL)
afterAll(() => service[Symbol.asyncDispose]())

const signIn = async () => {
  const client = new ConsoleClient(service.address)
  await client.post('/sign-in', { email: EMAIL, password: PASSWORD })
  return client
}
const isSignedIn = async (client: ConsoleClient) => (await client.get('/session')).status === 200

test('on loopback over http it has its own name, is HttpOnly and SameSite=Lax', async () => {
  expect(admin.setCookie).toMatch(
    new RegExp(`^${LOOPBACK_COOKIE}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`),
  )
})

test('over https it is a __Host- cookie with Secure, and the other name is not read', async () => {
  const client = new ConsoleClient(service.address, HTTPS)
  const origin = { origin: 'https://memory.example.com' }
  const json = { email: EMAIL, password: PASSWORD }
  const answer = await client.post('/sign-in', json, { headers: origin })
  expect(answer.status).toBe(200)
  expect(client.setCookie).toMatch(
    new RegExp(`^${SECURE_COOKIE}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Secure$`),
  )
  expect(await isSignedIn(client)).toBe(true)
  client.cookie = client.cookie?.replace(SECURE_COOKIE, LOOPBACK_COOKIE)
  expect(await isSignedIn(client)).toBe(false)
})

test('over plain http on any other address nobody can sign in', async () => {
  const outside = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'memory.example.com' }
  const client = new ConsoleClient(service.address, outside)
  const headers = { origin: 'http://memory.example.com' }
  const answer = await client.post('/sign-in', { email: EMAIL, password: PASSWORD }, { headers })
  expect(answer).toMatchObject({ status: 403, code: 'CONNECTION_NOT_SAFE' })
  expect(answer.headers.get('set-cookie')).toBeNull()
  // A set-up, an invitation or a new password would send one too.
  const open = CONSOLE_ROUTES.filter((route) => route.access === 'anyone')
  for (const { path } of open.filter(({ method }) => method === 'POST')) {
    expect(await client.post(path, {}, { headers }), path).toMatchObject({
      code: 'CONNECTION_NOT_SAFE',
    })
  }
  const known = await signIn()
  client.cookie = known.cookie
  expect(await isSignedIn(client)).toBe(false)
  expect((await client.get('/start')).body).toMatchObject({ connectionIsSafe: false })
})

test('an address that only looks like one of this machine is another', async () => {
  const isSafe = async (host: string) => {
    const client = new ConsoleClient(service.address, { 'x-forwarded-host': host })
    return Object((await client.get('/start')).body).connectionIsSafe
  }
  for (const own of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:80', '[::1]:8080']) {
    expect(await isSafe(own), own).toBe(true)
  }
  for (const other of [
    'localhost.example.com',
    'example.localhost.com:8080',
    'notlocalhost',
    '127.0.0.1.example.com',
    '1.127.0.0.1',
    '[::1:2]',
  ]) {
    expect(await isSafe(other), other).toBe(false)
  }
})

test('a cookie given twice, or of another form, is none', async () => {
  const client = await signIn()
  const { cookie = '' } = client
  for (const given of [`${cookie}; ${cookie}`, `${cookie}x`, cookie.slice(0, -1), 'x=y']) {
    client.cookie = given
    expect(await isSignedIn(client), given).toBe(false)
  }
  client.cookie = `other=1; ${cookie}; another=2`
  expect(await isSignedIn(client)).toBe(true)
})
