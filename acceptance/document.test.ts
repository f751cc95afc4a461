/**
 * The served OpenAPI document against the contract: its operations, its errors, its examples. That
 * the answers agree with it is checked by every case file, for every answer (conformance.ts); here
 * it is seen that this check can fail.
 */
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Answer, answerOf } from './harness/answer.ts'
import { ServedDocument } from './harness/conformance.ts'
import { errorStatus } from './harness/errors.ts'
import { operations } from './harness/operations.ts'
import { read } from './harness/read.ts'
import { anyClient, serviceUrl } from './harness/service.ts'

const Media = Type.Object({
  schema: Type.Unknown(),
  example: Type.Optional(Type.Unknown()),
  examples: Type.Optional(Type.Record(Type.String(), Type.Object({ value: Type.Unknown() }))),
})
const Content = Type.Object({ 'application/json': Media })
const Described = Type.Object({
  operationId: Type.String(),
  summary: Type.String(),
  requestBody: Type.Optional(Type.Object({ required: Type.Boolean(), content: Content })),
  responses: Type.Record(Type.String(), Type.Object({ content: Content })),
})
const Document = Type.Object({
  openapi: Type.String({ pattern: '^3\\.1\\.' }),
  info: Type.Object({ title: Type.String(), version: Type.String() }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
})

const templateOf = (path: string) => path.replace(':id', '{id}')
const client = await anyClient()
const response = await fetch(`${serviceUrl}/openapi.json`)
const raw: unknown = await response.json()

function described(row: { path: string; method: string }) {
  const { paths } = read(Document, raw)
  return read(Described, paths[templateOf(row.path)]?.[row.method.toLowerCase()])
}

function examplesOf(media: unknown): unknown[] {
  const { example, examples = {} } = read(Media, media)
  const named = Object.values(examples).map((one) => one.value)
  return example === undefined ? named : [example, ...named]
}

describe('the served document', () => {
  test('the document is OpenAPI 3.1 and has exactly the thirteen operations under /v1', () => {
    const { paths } = read(Document, raw)
    const found = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1'))
      .flatMap(([path, verbs]) =>
        Object.keys(verbs)
          .filter((verb) => /^(get|post|put|patch|delete|head|options)$/.test(verb))
          .map((verb) => `${verb.toUpperCase()} ${path}`),
      )
    const expected = operations.map((row) => `${row.method} ${templateOf(row.path)}`)
    const withoutHead = found.filter((name) => !name.startsWith('HEAD '))
    expect(withoutHead.sort()).toEqual(expected.sort())
  })

  test('the document gives every operation an id of its own', () => {
    const ids = operations.map((row) => described(row).operationId)
    expect(new Set(ids).size).toBe(13)
  })

  test.each(operations)('$id: success, every common error and its own are documented', (row) => {
    const { responses } = described(row)
    const statuses = Object.keys(responses).map(Number)
    const always = [row.success, 401, 429, 500, 503]
    const quota = row.counted ? [403] : []
    const body = row.method === 'POST' ? [400, 413, 415] : []
    const missing = row.missing === undefined ? [] : [404]
    for (const status of [...always, ...quota, ...body, ...missing]) {
      expect(statuses, `status ${status}`).toContain(status)
    }
    for (const status of statuses.filter((one) => one >= 400 && one < 500)) {
      expect(Object.values(errorStatus)).toContain(status)
    }
  })

  test.each(operations)('$id: its examples agree with its schemas', (row) => {
    const document = new ServedDocument(raw)
    const { requestBody, responses } = described(row)
    const place = ['paths', templateOf(row.path), row.method.toLowerCase()]
    const media = ['content', 'application/json', 'schema']
    if (row.method === 'POST') expect(requestBody?.required).toBe(true)
    for (const example of examplesOf(requestBody?.content['application/json'] ?? { schema: {} })) {
      expect(document.violation([...place, 'requestBody', ...media], example)).toBeUndefined()
    }
    const success = responses[`${row.success}`]
    expect(examplesOf(success?.content['application/json']).length).toBeGreaterThan(0)
    for (const [status, response] of Object.entries(responses)) {
      for (const example of examplesOf(response.content['application/json'])) {
        const schema = [...place, 'responses', status, ...media]
        expect(document.violation(schema, example)).toBeUndefined()
      }
    }
  })

  test.each(operations.filter((row) => row.method === 'POST'))(
    '$id: the server takes the example body of its own document',
    async (row) => {
      const { requestBody } = described(row)
      const examples = examplesOf(requestBody?.content['application/json'])
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) {
        const answer = await client.post(row.path, example)
        // A relation's example names entities that exist only in the example.
        const expected = row.path === '/v1/relations' ? 404 : row.success
        expect(answer.status, answer.text).toBe(expected)
      }
    },
  )

  test('the document names the bearer key as the way to authenticate', () => {
    const Schemes = Type.Object({
      components: Type.Object({
        securitySchemes: Type.Record(
          Type.String(),
          Type.Object({ type: Type.String(), scheme: Type.String() }),
        ),
      }),
    })
    const { securitySchemes } = read(Schemes, raw).components
    expect(Object.values(securitySchemes)).toContainEqual(
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    )
  })
})

describe('the comparison of answers with the document', () => {
  const headers = new Headers({ 'content-type': 'application/json' })
  const problem = (method: string, path: string, answer: Answer) =>
    new ServedDocument(raw).problem(method, path, answer)

  test('an undocumented status and a body of another shape are noticed', () => {
    const path = '/v1/memories/mem_x'
    expect(problem('GET', path, answerOf(418, headers, '{}'))).toMatch(/418/)
    expect(problem('GET', path, answerOf(200, headers, '{"id":5}'))).toMatch(/id/)
    expect(problem('GET', path, answerOf(404, headers, '{"error":"no"}'))).toMatch(/error/)
    expect(problem('POST', '/v1/memories/search', answerOf(200, headers, '{}'))).toMatch(/results/)
    const right = '{"success":true,"id":"mem_x"}'
    expect(problem('DELETE', path, answerOf(200, headers, right))).toBeUndefined()
  })

  test('a field that no schema names is noticed', () => {
    const body = '{"success":true,"id":"mem_x","secret":1}'
    const answer = answerOf(200, headers, body)
    expect(problem('DELETE', '/v1/memories/mem_x', answer)).toMatch(/additional|unevaluated/)
  })
})
