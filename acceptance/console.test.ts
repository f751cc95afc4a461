/**
 * The console as its interface under /console/api shows it: set up with the link of the first
 * start, keys made, listed, rotated, revoked and purged, and two ways of authenticating that have
 * nothing to do with each other. What people see of it is tested in a browser, beside its code.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Client } from './harness/client.ts'
import {
  freshDataDir,
  removeDataDir,
  type ServerProcess,
  startServer,
} from './harness/server-process.ts'
import { describeManaged } from './harness/service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const OWNER = { email: 'owner@example.com', password: 'a password of the suite' }

type Answer = { status: number; headers: Headers; body: unknown; code: unknown }

/** What a browser keeps: the cookie. */
class Browser {
  readonly url: string
  cookie = ''

  constructor(url: string) {
    this.url = url
  }

  async call(path: string, json?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}/console/api${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        cookie: this.cookie,
        ...(json === undefined ? {} : { 'content-type': 'application/json', origin: this.url }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0] ?? ''
    const body: unknown = await response.json()
    const code: unknown = Object(Object(body).error).code
    return { status: response.status, headers: response.headers, body, code }
  }
}

describeManaged('the console', () => {
  let dataDir = ''
  let server: ServerProcess
  let browser: Browser
  let token = ''
  beforeAll(async () => {
    dataDir = await freshDataDir()
    server = await startServer(dataDir)
    const [, printed = ''] = server.stdout().split(`${server.url}/console/link#`)
    token = /^[\w-]+/.exec(printed)?.[0] ?? ''
    browser = new Browser(server.url)
    expect((await browser.call('/links/use', { token, ...OWNER })).status).toBe(201)
  })
  afterAll(async () => {
    await server.stop()
    await removeDataDir(dataDir)
  })

  async function makeKey(name: string): Promise<{ id: string; client: Client }> {
    const { body } = await browser.call('/keys', { name, plan: 'free' })
    const { key, secret } = Object(body)
    return { id: key.id, client: new Client(server.url, secret) }
  }

  test('the link of the first start makes the owner of the first key, once', async () => {
    expect((await browser.call('/session')).body).toMatchObject({
      account: { email: OWNER.email, role: 'administrator' },
    })
    expect((await browser.call('/keys')).body).toMatchObject({ items: [{ name: 'first key' }] })
    const late = await new Browser(server.url).call('/links/use', { token, ...OWNER })
    expect([late.status, late.code]).toEqual([410, 'LINK_NOT_VALID'])
  })

  test('a key is named, shown once, listed, and refused at once when it is deleted', async () => {
    const { id, client } = await makeKey('of the console')
    const made = await client.post('/v1/memories', { content: 'kept by the space', userId: 'u' })
    expect(made.status).toBe(201)
    const listed = async () =>
      Object((await browser.call('/keys')).body).items.find((key: { id: string }) => key.id === id)
    expect(await listed()).toMatchObject({ name: 'of the console', status: 'active' })
    expect(JSON.stringify(await listed())).not.toContain(client.key)
    expect((await browser.call(`/keys/${id}/revoke`, {})).status).toBe(200)
    const refused = await client.get('/v1/memories')
    expect(Object(refused.body).error.code).toBe('API_KEY_REVOKED')
    expect(await listed()).toMatchObject({ status: 'revoked' })
    const { body } = await browser.call(`/keys/${id}/memories`)
    expect(body).toMatchObject({ items: [{ content: 'kept by the space' }] })
  })

  test('a replacement key has the data and the usage of the month', async () => {
    const { id, client } = await makeKey('to be rotated')
    await client.post('/v1/memories', { content: 'moves along', userId: 'u' })
    await client.get('/v1/memories')
    const { body } = await browser.call(`/keys/${id}/rotate`, {})
    const next = new Client(server.url, Object(body).secret)
    const list = await next.get('/v1/memories')
    expect(list.body).toMatchObject({ items: [{ content: 'moves along' }] })
    expect(list.headers.get('x-quota-used')).toBe('3')
    expect((await client.get('/v1/memories')).status).toBe(401)
  })

  test('the data of a revoked key is purged on request, and only then', async () => {
    const { id, client } = await makeKey('to be purged')
    await client.post('/v1/entities', { name: 'Anna', type: 'PERSON' })
    expect((await browser.call(`/keys/${id}/purge`, { name: 'to be purged' })).status).toBe(409)
    await browser.call(`/keys/${id}/revoke`, {})
    expect((await browser.call(`/keys/${id}/purge`, { name: 'another' })).status).toBe(400)
    expect((await browser.call(`/keys/${id}`)).body).toMatchObject({ data: { entities: 1 } })
    const { body } = await browser.call(`/keys/${id}/purge`, { name: 'to be purged' })
    expect(body).toMatchObject({ isDone: true, remaining: { entities: 0 } })
  })

  test('cookies open nothing under /v1, and keys nothing in the console', async () => {
    const { client } = await makeKey('of an API')
    const withCookie = await fetch(`${server.url}/v1/memories`, {
      headers: { cookie: browser.cookie },
    })
    expect(withCookie.status).toBe(401)
    const [name] = browser.cookie.split('=')
    for (const path of ['/session', '/keys', '/sessions']) {
      const withKey = await fetch(`${server.url}/console/api${path}`, {
        headers: { authorization: `Bearer ${client.key}`, cookie: `${name}=${client.key}` },
      })
      expect(withKey.status).toBe(401)
    }
  })

  test('what the console does draws on no quota and no rate limit', async () => {
    const { id, client } = await makeKey('looked at')
    for (let n = 0; n < 35; n += 1) {
      const answer = await browser.call(`/keys/${id}/memories/search`, { query: 'anything' })
      expect(answer.status).toBe(200)
    }
    for (let n = 0; n < 55; n += 1) {
      const body = { name: `Entity ${n}`, type: 'OTHER' }
      expect((await browser.call(`/keys/${id}/entities`, body)).status).toBe(201)
    }
    const answer = await client.get('/v1/memories')
    expect(answer.headers.get('x-quota-used')).toBe('1')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('99')
  })
})
