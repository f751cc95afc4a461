// The log tells what happened, and never what callers sent.
import { afterAll, expect, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const CANARY = 'CANARY7Q'
const FAILING = `${CANARY} fails`
const CRASHING = `${CANARY} crashes`
const ENDLESS = `${CANARY} has no end`

let endless = 0
const lines: string[] = []
const fake = fakeEmbedder()
const embed = (text: string) => {
  if (text === FAILING) throw new EmbedderUnavailable('away')
  if (text === CRASHING) throw new TypeError('a bug')
}
const service = await runService({
  settings: { MNEMOGRAPH_LOG_LEVEL: 'debug' },
  logTo: { write: (line) => lines.push(line) },
  embedder: {
    ...fake,
    embedMemory: async (content) => {
      embed(content)
      return fake.embedMemory(content)
    },
    embedQuery: async (query, asker, signal) => {
      embed(query)
      if (query === ENDLESS) {
        endless += 1
        await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      }
      return fake.embedQuery(query, asker)
    },
  },
})
afterAll(() => service[Symbol.asyncDispose]())

test('no text, key, query, id, header or address of a caller reaches the log, at any level', async () => {
  const { key } = await service.newKey()
  const call = apiClient(service.address, key)
  const headers = { 'idempotency-key': CANARY, 'x-request-id': CANARY, 'user-agent': CANARY }
  const ids: string[] = []
  const send = async (method: string, path: string, json?: unknown) => {
    const answer = await call(method, path, { headers, ...(json === undefined ? {} : { json }) })
    if (answer.id !== '') ids.push(answer.id)
    return answer
  }
  const metadata = { [CANARY]: CANARY }
  await send('POST', '/v1/memories', {
    content: CANARY,
    userId: CANARY,
    agentId: CANARY,
    tags: [CANARY],
    metadata,
  })
  for (const content of [FAILING, CRASHING]) {
    await apiClient(service.address, key)('POST', '/v1/memories', {
      json: { content, userId: CANARY },
    })
    await apiClient(service.address, key)('POST', '/v1/memories/search', {
      json: { query: content },
    })
  }
  await send('POST', '/v1/memories/search', { query: CANARY, userId: CANARY })
  await send('GET', `/v1/memories?userId=${CANARY}&tags=${CANARY}&${CANARY}=1`)
  await send('GET', `/v1/memories/${CANARY}`)
  await send('GET', `/v1/memories/%ff${CANARY}`)
  await send('GET', `/v1/${CANARY}?${CANARY}`)
  await send('GET', `/${CANARY}?${CANARY}`)
  await send('PUT', `/v1/entities/${CANARY}`)
  for (const id of [...ids]) {
    await send('GET', `/v1/memories/${id}`)
    await send('DELETE', `/v1/memories/${id}`)
  }
  const malformed = { headers: { 'content-type': 'application/json' }, bytes: `{"${CANARY}` }
  await call('POST', '/v1/memories', malformed)
  await apiClient(service.address, `mng_${CANARY}`)('GET', '/v1/memories')
  const broken = await RawConnection.open(service.address)
  await broken.send(`${CANARY} ${CANARY}\r\n\r\n`)
  await broken.answer()
  const absolute = await RawConnection.open(service.address)
  await absolute.send(
    rawRequest(`GET http://${CANARY}/v1/entities`, { Authorization: `Bearer ${key}` }),
  )
  await absolute.answer()
  absolute.close()

  await expect
    .poll(() => lines.filter((line) => line.includes('"msg":"request"')).length)
    .toBeGreaterThan(15)
  const log = lines.join('')
  expect(ids.length).toBeGreaterThan(0)
  for (const secret of [CANARY, key, key.slice(4, 20), '127.0.0.1', ...ids]) {
    expect(log).not.toContain(secret)
  }
})

test('each answered request leaves one line with its route, status, time and key id', async () => {
  lines.length = 0
  const { id: keyId, key } = await service.newKey()
  const answer = await apiClient(service.address, key)('GET', '/v1/memories/nobody')
  const found = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ msg, keyId: of }) => msg === 'request' && of === keyId)
  await expect.poll(found).toHaveLength(1)
  const [line] = found()
  expect(line).toMatchObject({ method: 'GET', route: '/v1/memories/:id', status: 404 })
  expect(line.durationMs).toBeGreaterThanOrEqual(0)
  expect(line.reqId).toBe(answer.headers.get('x-request-id'))
})

test('one whose caller has left before the answer leaves a line too, without a status', async () => {
  lines.length = 0
  const { id: keyId, key } = await service.newKey()
  const leaving = new AbortController()
  const asked = fetch(`${service.address}/v1/memories/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: ENDLESS }),
    signal: leaving.signal,
  })
  await expect.poll(() => endless).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  const found = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  await expect.poll(found).toHaveLength(1)
  const [line] = found()
  expect(line).toMatchObject({ level: 30, method: 'POST', route: '/v1/memories/search', keyId })
  expect(line).not.toHaveProperty('status')
})

test.each([
  ['/livez', 'debug'],
  ['/readyz', 'debug'],
  ['/metrics', 'debug'],
  ['/readyz/nothing', 'info'],
])('that %s was answered is logged at level %s', async (path, level) => {
  lines.length = 0
  const { headers } = await fetch(`${service.address}${path}`)
  const found = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ reqId }) => reqId === headers.get('x-request-id'))
  await expect.poll(found).toMatchObject([{ level: level === 'debug' ? 20 : 30, msg: 'request' }])
})

test('a failure of ours is logged with its cause, which the caller never sees', async () => {
  lines.length = 0
  const { key } = await service.newKey()
  const request = { json: { content: CRASHING, userId: 'u' } }
  const answer = await apiClient(service.address, key)('POST', '/v1/memories', request)
  expect(answer).toMatchObject({ status: 500 })
  expect(answer.text).not.toContain('bug')
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({ msg: 'INTERNAL_ERROR', err: { message: 'a bug' } })
  expect(errors[0].reqId).toBe(answer.headers.get('x-request-id'))
})

test('a client that leaves before its body is whole is no failure of ours', async () => {
  lines.length = 0
  const { key } = await service.newKey()
  const connection = await RawConnection.open(service.address)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  await connection.send(rawRequest('POST /v1/memories', { ...headers, 'Content-Length': '100' }))
  await connection.send('{"content":"half')
  // Its key is known by the time that another one is answered, and its body waited for.
  await apiClient(service.address, key)('GET', '/v1/entities')
  connection.close()
  await apiClient(service.address, key)('GET', '/v1/relations')
  await expect.poll(() => lines.join('')).toContain('"/v1/relations"')
  expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)).toEqual([])
})

test('labels of metrics are route templates, never ids or paths of callers', async () => {
  const { text } = await apiClient(service.address)('GET', '/metrics')
  expect(text).toContain('route="/v1/memories/:id"')
  expect(text).not.toContain(CANARY)
})
