// Whatever is sent, the answer is a documented one: never a 5xx, never a word about the inside.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts'
import { apiClient } from '../../testing/api-client.ts'
import { expectDocumented } from '../../testing/documented.ts'
import { RawConnection } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const RUNS = { numRuns: 150 }
const POSTS = ['/v1/memories', '/v1/memories/search', '/v1/entities', '/v1/relations']
const LISTS = ['/v1/memories', '/v1/entities', '/v1/relations']
const FIELDS = [
  ...['content', 'userId', 'agentId', 'tags', 'metadata', 'query', 'limit', 'threshold', 'page'],
  ...['name', 'type', 'description', 'sourceId', 'targetId', 'search', '__proto__', 'constructor'],
]

const service = await runService()
const key = (await service.newKey()).key
const call = apiClient(service.address, key)
afterAll(() => service[Symbol.asyncDispose]())

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '\u3000', 'PERSON', 'KNOWS', 'mem_x', 'a,b', '1', '-0'),
)
const json = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(0, 1, 0.5, 100, 101, -1, 1e308, 2 ** 53, null, true),
  fc.array(text, { maxLength: 60 }),
  fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
)
/** Objects with the names of the contract, so that the checks behind the first one are reached. */
const almostValid = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS), json, { noNullPrototype: true }),
  fc.record(
    { content: text, userId: text, agentId: json, tags: json, metadata: json },
    { requiredKeys: ['content', 'userId'] },
  ),
  fc.record({ query: text, limit: json, threshold: json, tags: json }, { requiredKeys: ['query'] }),
  fc.record(
    {
      name: text,
      type: fc.constantFrom('PERSON', 'OTHER', 'x'),
      description: json,
      metadata: json,
    },
    { requiredKeys: ['name', 'type'] },
  ),
)

test('any JSON body gets a documented answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...POSTS),
      fc.oneof(almostValid, json),
      async (path, value) => {
        expectDocumented(await call('POST', path, { json: value }))
      },
    ),
    { numRuns: 300 },
  )
})

test('any bytes as a body get a documented answer', async () => {
  const mangled = fc
    .tuple(fc.json(), fc.nat(), fc.uint8Array({ maxLength: 5 }))
    .map(([valid, at, noise]) => {
      const bytes = Buffer.from(valid)
      const cut = at % (bytes.length + 1)
      return new Uint8Array(Buffer.concat([bytes.subarray(0, cut), noise, bytes.subarray(cut)]))
    })
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), mangled)
  const type = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...POSTS), bytes, type, async (path, body, contentType) => {
      expectDocumented(
        await call('POST', path, { bytes: body, headers: { 'content-type': contentType } }),
      )
    }),
    RUNS,
  )
})

test('any query string gets a documented answer', async () => {
  const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FIELDS) }, text)
  const encoded = fc.tuple(name, text).map(([a, b]) => {
    const safe = (part: string) => encodeURIComponent(part.toWellFormed())
    return `${safe(a)}=${safe(b)}`
  })
  const rough = fc.string({
    unit: fc.constantFrom(...'abpage=limit&%0f2+;?/,[]'.split('')),
    maxLength: 30,
  })
  const query = fc.array(fc.oneof(encoded, rough), { maxLength: 4 }).map((parts) => parts.join('&'))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LISTS), query, async (path, parameters) => {
      expectDocumented(await call('GET', `${path}?${parameters}`))
    }),
    RUNS,
  )
})

/** One request over a connection of its own, with characters that no HTTP client would send. */
async function raw(lines: string[]) {
  const connection = await RawConnection.open(service.address)
  void connection.send(Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1'))
  const toHead = lines[0]?.startsWith('HEAD ') ?? false
  const answer = await connection.answer({ toHead })
  const rest = await connection.ended()
  expect(rest, 'one request has one answer').toBe('')
  const body: unknown = answer.body === '' ? undefined : JSON.parse(answer.body)
  const headers = new Headers([...answer.headers])
  const code = String(Object(Object(body).error).code ?? '')
  return { status: answer.status, headers, text: answer.body, body, code, toHead }
}

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
  maxLength: 60,
})

test('any path under /v1 gets a documented answer', async () => {
  const method = fc.constantFrom('GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS', 'PROPFIND', 'TRACE')
  const segment = fc.oneof(
    visible,
    fc.constantFrom('memories', 'search', '', '.', '..', '%ff', '%2F'),
  )
  const path = fc.array(segment, { maxLength: 4 }).map((parts) => `/v1/${parts.join('/')}`)
  await fc.assert(
    fc.asyncProperty(method, path, async (verb, target) => {
      const answer = await raw([
        `${verb} ${target} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${key}`,
      ])
      expectDocumented(answer, {
        authenticated: answer.code !== 'BAD_REQUEST',
        toHead: answer.toHead,
      })
    }),
    RUNS,
  )
})

test('any headers get a documented answer', async () => {
  const name = fc.oneof(
    fc.constantFrom('Authorization', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Host'),
    fc.constantFrom(
      'Expect',
      'Upgrade',
      'Idempotency-Key',
      'Origin',
      'Accept-Version',
      'X-Request-Id',
    ),
    fc.constantFrom(
      'X-Forwarded-For',
      'Accept',
      'If-None-Match',
      'Range',
      'TE',
      'Content-Encoding',
    ),
    visible,
  )
  const value = fc.oneof(
    visible,
    fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)) }),
    fc.constantFrom(
      'application/json',
      'chunked',
      '0',
      '-1',
      'gzip',
      '100-continue',
      `Bearer ${'x'.repeat(53)}`,
    ),
  )
  const extra = fc.array(fc.tuple(name, value), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(extra, async (headers) => {
      const lines = headers.map(([header, content]) => `${header}: ${content}`)
      // Without a body: a length that nothing follows would only wait for the end of patience.
      fc.pre(
        !lines.some((line) => /^(content-length|transfer-encoding|upgrade|expect)\s*:/i.test(line)),
      )
      const answer = await raw([
        'GET /v1/entities HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${key}`,
        ...lines,
      ])
      expectDocumented(answer, { authenticated: ![400, 401, 429].includes(answer.status) })
    }),
    RUNS,
  )
})

test('any text where HTTP is expected gets one documented answer, and the service lives on', async () => {
  const noise = fc.oneof(
    fc.string({ unit: 'binary-ascii', minLength: 1 }),
    fc.uint8Array({ minLength: 1 }).map((b) => Buffer.from(b).toString('latin1')),
  )
  await fc.assert(
    fc.asyncProperty(noise, async (garbage) => {
      // Empty lines before a request are no request yet.
      fc.pre(/[^\r\n]/.test(garbage))
      using connection = await RawConnection.open(service.address)
      await connection.send(Buffer.from(`${garbage}\r\n\r\n\r\n`, 'latin1'))
      const answer = await connection.answer()
      expect([400, 404, 431]).toContain(answer.status)
      expect(JSON.parse(answer.body)).toHaveProperty('error.code')
    }),
    RUNS,
  )
  expect(await call('GET', '/livez')).toMatchObject({ status: 200 })
})

test('any order of the operations with any ids gets documented answers', async () => {
  const operation = fc.constantFrom(...OPERATION_IDS)
  await fc.assert(
    fc.asyncProperty(operation, text, almostValid, async (id, recordId, value) => {
      const { method, path } = OPERATIONS[id]
      const target = path.replace(':id', () => encodeURIComponent(recordId.toWellFormed()))
      // An empty id, a dot or two would be resolved away by the client.
      fc.pre(!path.endsWith(':id') || !['', '.', '..'].includes(recordId))
      expectDocumented(await call(method, target, method === 'POST' ? { json: value } : {}))
    }),
    RUNS,
  )
})
