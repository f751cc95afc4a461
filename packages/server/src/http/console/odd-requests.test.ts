// Requests that no browser sends are answered in the console's shape, and never with a 500.
import { afterAll, expect, test } from 'vitest'
import { ConsoleClient, setUpConsole } from '../../testing/console-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

const json = { 'Content-Type': 'application/json' }

test.each([
  ['HTTP/1.0 without a Host', 'GET /console/api/session HTTP/1.0\r\n\r\n', 401],
  ['HTTP/1.1 without a Host', 'GET /console/api/session HTTP/1.1\r\n\r\n', 400],
  ['a Host that is no address', rawRequest('GET /console/api/start', { Host: 'a b"<' }), 200],
  [
    'an endless cookie',
    rawRequest('GET /console/api/session', { Cookie: 'a=b; '.repeat(2000) }),
    401,
  ],
  ['a cookie without a form', rawRequest('GET /console/api/session', { Cookie: '=;;=' }), 401],
  ['an undecodable path', rawRequest('GET /console/api/keys/%ff%', {}), 401],
  ['a NUL in a path', rawRequest('GET /console/api/keys/%00/memories', {}), 401],
])('%s', async (_what, message, status) => {
  using connection = await RawConnection.open(service.address)
  await connection.send(message)
  const answer = await connection.answer()
  expect(answer.status, answer.body).toBe(status)
})

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['nothing', ''],
  ['null', 'null'],
  ['other types', '{"email":1,"password":[]}'],
  ['a NUL', '{"email":"a\\u0000@b","password":"x"}'],
  ['a lone surrogate', '{"email":"\\ud800@b","password":"x"}'],
  ['a prototype', '{"__proto__":{"email":"a@b"},"password":"x"}'],
])('a sign-in with %s is a bad request', async (_what, body) => {
  using connection = await RawConnection.open(service.address)
  const headers = { ...json, Host: 'localhost', Origin: 'http://localhost' }
  await connection.send(rawRequest('POST /console/api/sign-in', headers, body))
  const answer = await connection.answer()
  expect(answer.status, answer.body).toBe(400)
  expect(answer.body).not.toMatch(/sqlite|\.ts|node_modules/)
})

test.each([
  ['declared', (body: string) => ({ 'Content-Length': String(body.length) })],
  ['not declared', () => ({ 'Transfer-Encoding': 'chunked' })],
])('nobody sends more than 32 KiB before they are known, %s', async (_what, lengthOf) => {
  const body = '['.repeat(33 * 1024)
  const headers = { ...json, Host: 'localhost', Origin: 'http://localhost', ...lengthOf(body) }
  using connection = await RawConnection.open(service.address)
  await connection.send(rawRequest('POST /console/api/sign-in', headers))
  const isChunked = 'Transfer-Encoding' in headers
  await connection.send(isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body)
  const answer = await connection.answer()
  expect(answer.status, answer.body).toBe(413)
  expect(answer.body).toContain('The body must have at most 32 KiB.')
})

test('the longest password that is compared can be sent', async () => {
  const client = new ConsoleClient(service.address)
  const email = `${'a'.repeat(200)}@example.com`
  expect(await client.post('/sign-in', { email, password: '𝒑'.repeat(4_096) })).toMatchObject({
    code: 'WRONG_CREDENTIALS',
  })
})

test('a body is asked for once, by a client that waits to be asked', async () => {
  using connection = await RawConnection.open(service.address)
  const headers = { ...json, Host: 'localhost', Origin: 'http://localhost' }
  const body = '{"email":"a@example.com","password":"x"}'
  const head = rawRequest('POST /console/api/sign-in', {
    ...headers,
    Expect: '100-continue',
    'Content-Length': String(body.length),
  })
  await connection.send(head)
  expect((await connection.answer({ toHead: true })).status).toBe(100)
  await connection.send(body)
  expect((await connection.answer()).status).toBe(401)
})

test('what takes no input takes a JSON object all the same', async () => {
  const client = await setUpConsole(service)
  for (const json of [[], null, 'x', 0]) {
    expect(await client.post('/sessions/end-others', json)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
  }
  // Whoever is known may send more than a stranger.
  const send = (bytes: number) =>
    client.post('/sessions/end-others', { any: 'x'.repeat(bytes - '{"any":""}'.length) })
  expect((await send(1_048_576)).status).toBe(200)
  expect((await send(1_048_577)).status).toBe(413)
})

test('whoever is not signed in is refused before a byte of the body is looked at', async () => {
  using connection = await RawConnection.open(service.address)
  const headers = { ...json, Host: new URL(service.address).host, Origin: service.address }
  const asked = { ...headers, 'Content-Length': '1000000' }
  await connection.send(rawRequest('POST /console/api/keys', asked))
  expect(await connection.answer()).toMatchObject({ status: 401 })
})

test('what is not there is told before a byte of the body is looked at, whatever its type', async () => {
  for (const path of ['/console/none', '/console/keys', '/console/api/none']) {
    using connection = await RawConnection.open(service.address)
    const headers = { Host: new URL(service.address).host, Origin: service.address }
    const asked = { ...json, ...headers, 'Content-Length': '1000000' }
    await connection.send(rawRequest(`POST ${path}`, asked))
    expect(await connection.answer(), path).toMatchObject({ status: 404 })
  }
})

test('an address that asks too often is refused before a byte of the body is looked at', async () => {
  await using own = await runService()
  const headers = { ...json, Host: new URL(own.address).host, Origin: own.address }
  using connection = await RawConnection.open(own.address)
  for (let asked = 0; asked < 120; asked += 1) {
    await connection.send(rawRequest('POST /console/api/sign-in', headers, '{'))
    expect(await connection.answer()).toMatchObject({ status: 400 })
  }
  await connection.send(
    rawRequest('POST /console/api/sign-in', { ...headers, 'Content-Length': '1000000' }),
  )
  expect(await connection.answer()).toMatchObject({ status: 429 })
})
