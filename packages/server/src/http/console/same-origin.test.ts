// Writes from elsewhere are refused on every route, before anything else of them is looked at.
import { afterAll, describe, expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { ConsoleClient, PASSWORD, setUpConsole } from '../../testing/console-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'
import { CONSOLE_ROUTES } from './mount.ts'

const service = await runService()
const client = await setUpConsole(service)
afterAll(() => service[Symbol.asyncDispose]())

const writes = CONSOLE_ROUTES.filter(({ method }) => method === 'POST')
const reads = CONSOLE_ROUTES.filter(({ method }) => method === 'GET')
const pathOf = (path: string) => `/console/api${path.replaceAll(/:\w+/g, 'x')}`
const send = (method: string, path: string, headers: Record<string, string>, bytes = '{}') =>
  apiClient(service.address)(method, pathOf(path), {
    ...(method === 'POST' ? { bytes } : {}),
    headers: { cookie: client.cookie ?? '', ...headers },
  })
const json = { 'content-type': 'application/json' }

test('there are writes and reads to look at', () => {
  expect(writes.length).toBeGreaterThan(15)
  expect(reads.length).toBeGreaterThan(15)
})

describe.each(writes.map(({ path }) => path))('POST %s', (path) => {
  test('is refused without an Origin, and from a foreign one', async () => {
    const own = service.address
    const foreign = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${own}.evil.example` },
      { origin: own.replace('127.0.0.1', 'localhost') },
      { origin: own.replace('http:', 'https:') },
      { origin: own.replace(/:\d+$/, ':1') },
    ]
    for (const headers of foreign) {
      const answer = await send('POST', path, { ...json, ...headers })
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 403, code: 'FOREIGN_ORIGIN' })
    }
  })

  test('is refused when the browser says that it comes from another site', async () => {
    for (const site of ['cross-site', 'same-site', 'none', 'anything']) {
      const headers = { ...json, origin: service.address, 'sec-fetch-site': site }
      expect(await send('POST', path, headers), site).toMatchObject({ code: 'FOREIGN_ORIGIN' })
    }
  })

  test('is refused unless it is JSON', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/plain; application/json',
      'application/json; charset=latin1',
    ]
    for (const type of types) {
      const headers = { 'content-type': type, origin: service.address }
      expect(await send('POST', path, headers), type).toMatchObject({ status: 415 })
    }
  })
})

test.each(reads.map(({ path }) => path))('GET %s is refused from another site', async (path) => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await send('GET', path, { 'sec-fetch-site': site })
    expect(answer).toMatchObject({ status: 403, code: 'FOREIGN_ORIGIN' })
  }
})

test('a read is served to the console itself, and to whoever typed its address', async () => {
  for (const site of ['same-origin', 'none']) {
    const answer = await send('GET', '/start', { 'sec-fetch-site': site })
    expect(answer.status, site).toBe(200)
  }
})

test('a refused sign-in and a refused sign-out change nothing', async () => {
  const fresh = new ConsoleClient(service.address)
  const credentials = { email: 'admin@example.com', password: PASSWORD }
  const evil = { headers: { origin: 'https://evil.example' } }
  expect((await fresh.post('/sign-in', credentials, evil)).headers.get('set-cookie')).toBeNull()
  expect((await client.post('/sign-out', {}, evil)).status).toBe(403)
  expect((await client.get('/session')).status).toBe(200)
})

test('with an own Origin a program without Sec-Fetch-Site is served', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    const headers = { 'content-type': type, origin: service.address }
    expect((await send('POST', '/sessions/end-others', headers)).status, type).toBe(200)
  }
})

test('a proxy that hands on the host in capitals makes nobody a stranger', async () => {
  using connection = await RawConnection.open(service.address)
  const headers = {
    Host: 'LocalHost',
    Origin: 'http://localhost',
    'Content-Type': 'application/json',
  }
  await connection.send(rawRequest('POST /console/api/sign-in', headers, '{}'))
  expect(await connection.answer()).toMatchObject({ status: 400 })
})

test('other methods reach nothing', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const headers = { ...json, origin: service.address }
    const answer = await apiClient(service.address)(method, '/console/api/keys', { headers })
    expect(answer.status, method).toBe(404)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('whoever asks from elsewhere is not told which paths there are', async () => {
  const headers = { ...json, origin: 'https://evil.example' }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of ['/console/api/keys', '/console/api/none']) {
      const answer = await apiClient(service.address)(method, path, { headers })
      expect(answer, `${method} ${path}`).toMatchObject({ code: 'FOREIGN_ORIGIN' })
    }
  }
})
