/**
 * Whatever JSON is sent, the answer is a documented one: never an error of the server, always the
 * documented shape. The bodies are drawn both from all of JSON and from the fields of the
 * contract with values that nobody would send on purpose.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorStatus } from './harness/errors.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

const posts = ['/v1/memories', '/v1/memories/search', '/v1/entities', '/v1/relations']
const lists = ['/v1/memories', '/v1/entities', '/v1/relations']
const codes: readonly string[] = Object.keys(errorStatus)

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', 'PERSON', 'KNOWS', -0, 1e308, 5e-324, [], {}, null),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const fields = ['content', 'userId', 'agentId', 'tags', 'metadata', 'query', 'limit', 'threshold']
const others = ['name', 'type', 'description', 'sourceId', 'targetId', '__proto__', 'constructor']
const body = fc.dictionary(fc.constantFrom(...fields, ...others), strange, { maxKeys: 6 })

function expectDocumented(answer: { status: number; body: unknown }): void {
  expect(answer.status).toBeLessThan(500)
  if (answer.status < 400) return
  expect(answer.body).toMatchObject({ error: { message: expect.any(String) } })
  expect(answer.body).toHaveProperty('error.code', expect.toBeOneOf([...codes]))
}

test('no body of JSON is answered by an error of the server', async () => {
  const sent = fc.tuple(fc.constantFrom(...posts), fc.oneof(body, fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(sent, async ([path, value]) => {
      expectDocumented(await client.post(path, value ?? null))
    }),
    { numRuns: 300 },
  )
})

test('no bytes declared as JSON are answered by an error of the server', async () => {
  const headers = { 'content-type': 'application/json' }
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 })
  const cut = body.chain((value) => {
    const whole = Buffer.from(JSON.stringify(value))
    return fc.nat(whole.length).map((length) => new Uint8Array(whole.subarray(0, length)))
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), fc.oneof(bytes, cut), async (path, drawn) => {
      const raw = new Uint8Array(drawn)
      expectDocumented(await client.call('POST', path, { raw, headers }))
    }),
    { numRuns: 200 },
  )
})

test('no query string is answered by an error of the server', async () => {
  const names = ['userId', 'agentId', 'tags', 'page', 'limit', 'type', 'search', 'sourceId', 'x']
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent),
    fc.stringMatching(/^[%a-f0-9&=+;,[\]]{0,12}$/),
    fc.constantFrom('1', '0', '-1', '1e9', '%', '%00', '%ff', '%u0041', '99999999999999999999'),
  )
  const pair = fc.tuple(fc.constantFrom(...names), value)
  const query = fc.array(pair, { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lists), query, async (path, pairs) => {
      const text = pairs.map(([name, drawn]) => `${name}=${drawn}`).join('&')
      expectDocumented(await client.get(`${path}?${text}`))
    }),
    { numRuns: 200 },
  )
})
