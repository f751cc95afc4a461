// Whoever asks before sending a body is told to go on exactly once, and only when the body is about to
// be read.
import { afterAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
const JSON_BODY = { 'Content-Type': 'application/json' }
const CONTENT = JSON.stringify({ content: 'c', userId: 'u' })

const service = await runService()
const { key } = await service.newKey()
const bearer = { Authorization: `Bearer ${key}` }
afterAll(() => service[Symbol.asyncDispose]())

const open = () => RawConnection.open(service.address)

/** As different clients write it, and as the router takes it. */
const FORMS = ['/v1/memories', 'http://localhost/v1/memories', '/%761/memories', '/v1/%6demories']

test.each(FORMS)('POST %s is told to go on once', async (target) => {
  using connection = await open()
  const headers = { Expect: '100-continue', 'Content-Length': String(CONTENT.length) }
  await connection.send(rawRequest(`POST ${target}`, { ...bearer, ...JSON_BODY, ...headers }))
  expect(await connection.answer()).toMatchObject({ status: 100 })
  await connection.send(CONTENT)
  expect(await connection.answer()).toMatchObject({ status: 201 })
})

test.each<[target: string, status: number]>([
  ...FORMS.map((target): [string, number] => [target, 401]),
  ['http://localhost/import/memories', 401],
  ['/%69mport/memories', 401],
  ['/nothing', 404],
  ['/console/nothing', 404],
  ['/console/%61pi/nothing', 404],
])('POST %s without a key is refused instead of being told to go on', async (target, status) => {
  using connection = await open()
  const headers = { Host: new URL(service.address).host, Origin: service.address, ...JSON_BODY }
  const asking = { ...headers, Expect: '100-continue', 'Content-Length': '9' }
  await connection.send(rawRequest(`POST ${target}`, asking))
  expect(await connection.answer()).toMatchObject({ status })
})

test.each([
  ['/console/csp-reports', 204],
  ['/console/api/sign-in', 400],
])('POST %s of the console is told to go on once', async (target, status) => {
  using connection = await open()
  const headers = { Host: new URL(service.address).host, Origin: service.address, ...JSON_BODY }
  const asking = { ...headers, Expect: '100-continue', 'Content-Length': '2' }
  await connection.send(rawRequest(`POST ${target}`, asking))
  expect(await connection.answer()).toMatchObject({ status: 100 })
  await connection.send('{}')
  expect(await connection.answer()).toMatchObject({ status })
})

test.each(['100-continue', '100-Continue, more'])(
  'a client that asks before it sends (%s) is told to go on, and then served',
  async (expectation) => {
    using connection = await open()
    const headers = { Expect: expectation, 'Content-Length': String(CONTENT.length) }
    await connection.send(rawRequest('POST /v1/memories', { ...bearer, ...JSON_BODY, ...headers }))
    expect(await connection.answer()).toMatchObject({ status: 100 })
    await connection.send(CONTENT)
    expect(await connection.answer()).toMatchObject({ status: 201 })
  },
)

test.each([
  ['without a key', { Authorization: '' }, 401],
  ['with a body that is no JSON', { 'Content-Type': 'text/plain' }, 415],
  ['with a body that is too large', { 'Content-Length': String(MIB + 1) }, 413],
])(
  'a client that asks before it sends, %s, is refused instead of being told to go on',
  async (_, wrong, status) => {
    using connection = await open()
    const headers = { ...bearer, ...JSON_BODY, Expect: '100-continue', 'Content-Length': '9' }
    await connection.send(rawRequest('POST /v1/memories', { ...headers, ...wrong }))
    expect(await connection.answer()).toMatchObject({ status })
  },
)

test('a client of HTTP/1.0, which knows no "go on", is simply served', async () => {
  using connection = await open()
  const headers = { ...bearer, ...JSON_BODY, Expect: '100-continue' }
  const request = rawRequest('POST /v1/memories', headers, CONTENT)
  await connection.send(request.replace('HTTP/1.1', 'HTTP/1.0'))
  expect(await connection.answer()).toMatchObject({ status: 201 })
})

test('an expectation that nobody knows is no reason to refuse', async () => {
  using connection = await open()
  await connection.send(rawRequest('GET /v1/entities', { ...bearer, Expect: 'cookies' }))
  expect(await connection.answer()).toMatchObject({ status: 200 })
})
