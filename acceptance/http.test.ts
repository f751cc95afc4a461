/** The manners of HTTP under /v1: paths, methods, media types, sizes, HEAD and request ids. */
import { describe, expect, test } from 'vitest'
import { header } from './harness/answer.ts'
import { observe } from './harness/conformance.ts'
import { expectError } from './harness/errors.ts'
import { createRecords, someUser } from './harness/operations.ts'
import { anyClient, serviceUrl } from './harness/service.ts'
import { exchange, ordinaryHeaders, requestText } from './harness/wire.ts'

const client = await anyClient()
const records = await createRecords(client)

const json = { 'content-type': 'application/json' }
const MIB = 1024 * 1024

/** A valid memory of exactly this many bytes; the surplus lies in a field that nobody reads. */
function memoryOfSize(bytes: number): string {
  const [start, end] = [`{"content":"x","userId":"${someUser()}","padding":"`, '"}']
  return start + 'p'.repeat(bytes - start.length - end.length) + end
}

describe('paths', () => {
  test.each([
    ['/v1'],
    ['/v1/'],
    ['/v1/nowhere'],
    ['/v1/memories/'],
    ['/v1/memories/search/'],
    ['/v1/entities/'],
    ['/v1/Memories'],
    ['/v1/MEMORIES/search'],
    ['/V1/memories'],
    ['/v1//memories'],
    ['/v1/memories/mem_a/b'],
    ['/v1/relation'],
    ['/v1/keys'],
  ])('%s is unknown for GET and POST', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await client.call(method, path)
      if (path.startsWith('/v1')) expectError(answer, 'NOT_FOUND')
      else expect(answer.status).toBe(404)
    }
  })

  test('a trailing slash behind a record is another path', async () => {
    expectError(await client.get(`/v1/memories/${records.memory.id}/`), 'NOT_FOUND')
    expectError(await client.delete(`/v1/entities/${records.source.id}/`), 'NOT_FOUND')
    expect((await client.get(`/v1/entities/${records.source.id}`)).status).toBe(200)
  })

  test('an id in another letter case is another id', async () => {
    const { id } = records.memory
    const turned = id.slice(0, 4) + id.slice(4).toUpperCase()
    expectError(await client.get(`/v1/memories/${turned}`), 'MEMORY_NOT_FOUND')
    expectError(await client.get(`/v1/memories/${id.replace('mem', 'MEM')}`), 'MEMORY_NOT_FOUND')
  })

  test.each([
    ['memories', 'MEMORY_NOT_FOUND'],
    ['entities', 'ENTITY_NOT_FOUND'],
    ['relations', 'RELATION_NOT_FOUND'],
  ] as const)('any odd id under /v1/%s is %s, never 400 or 414', async (noun, code) => {
    const odd = ['x', '%00', '%zz', '%', '%E0%A4%A', '%ff', 'a%2Fb', '..%2f..', "'--", '%20', '%0a']
    const signs = ['%2F', '%3F', '%23', '%25ff', '.', '..', ':id', '*', '%F0%9F%98%80']
    const others = ['x'.repeat(101), 'x'.repeat(15_000), 'null', '__proto__']
    const foreign = [records.memory.id, records.source.id, records.relation.id].filter(
      (id) => !id.startsWith(noun.slice(0, 3)),
    )
    for (const id of [...odd, ...signs, ...others, ...foreign]) {
      for (const method of ['GET', 'DELETE']) {
        const path = `/v1/${noun}/${id}`
        const lines = ordinaryHeaders(client.url, client.key)
        const answer = await exchange(client.url, requestText(method, path, lines))
        await observe(client.url, method, path, answer)
        expectError(answer, code)
      }
    }
  })

  test('an id may be percent-encoded where it need not be', async () => {
    const { id } = records.memory
    const encoded = id.replace('_', '%5F').replace('m', '%6d')
    expect((await client.get(`/v1/memories/${encoded}`)).status).toBe(200)
  })
})

describe('methods', () => {
  test.each([
    ['/v1/memories', ['GET', 'HEAD', 'POST']],
    ['/v1/memories/search', ['POST']],
    ['/v1/memories/mem_x', ['DELETE', 'GET', 'HEAD']],
    ['/v1/entities', ['GET', 'HEAD', 'POST']],
    ['/v1/entities/ent_x', ['DELETE', 'GET', 'HEAD']],
    ['/v1/relations', ['GET', 'HEAD', 'POST']],
    ['/v1/relations/rel_x', ['DELETE', 'GET', 'HEAD']],
  ])('%s answers other methods with 405 and names its own', async (path, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const answer = await client.call(method, path)
      expectError(answer, 'METHOD_NOT_ALLOWED')
      const named = header(answer, 'allow').split(/\s*,\s*/)
      expect(named.sort()).toEqual(allowed)
    }
  })

  test('GET /v1/memories/search is 405 with Allow: POST', async () => {
    const answer = await client.get('/v1/memories/search')
    expectError(answer, 'METHOD_NOT_ALLOWED')
    expect(header(answer, 'allow')).toBe('POST')
  })

  test('HEAD answers like GET, without a body', async () => {
    const paths = [
      '/v1/entities?limit=1',
      `/v1/memories/${records.memory.id}`,
      `/v1/entities/${records.source.id}`,
      `/v1/relations/${records.relation.id}`,
      '/v1/relations/rel_none',
      '/v1/nowhere',
      '/v1/memories?page=0',
    ]
    for (const path of paths) {
      const [get, head] = [await client.get(path), await client.call('HEAD', path)]
      expect([head.status, head.text]).toEqual([get.status, ''])
      const hops = ['connection', 'keep-alive', 'transfer-encoding']
      const names = (answer: typeof get) =>
        [...answer.headers.keys()].filter((name) => !hops.includes(name)).sort()
      expect(names(head)).toEqual(names(get))
      for (const name of ['content-type', 'content-length']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
    }
  })

  test('whatever body a DELETE has is not looked at', async () => {
    for (const [raw, type] of [
      ['{', 'application/json'],
      ['text', 'text/plain'],
    ] as const) {
      const { memory } = await createRecords(client)
      const options = { raw, headers: { 'content-type': type } }
      expect((await client.delete(`/v1/memories/${memory.id}`, options)).status).toBe(200)
    }
  })

  test('a DELETE with an empty body that is declared as JSON is fine', async () => {
    const { memory, relation } = await createRecords(client)
    const declared = await client.delete(`/v1/memories/${memory.id}`, { headers: json })
    expect(declared.status).toBe(200)
    const options = { raw: '', headers: json }
    expect((await client.delete(`/v1/relations/${relation.id}`, options)).status).toBe(200)
  })
})

describe('media types and sizes', () => {
  const body = '{"name":"Typed","type":"OTHER"}'
  const send = (headers: Record<string, string>, raw = body) =>
    client.call('POST', '/v1/entities', { raw, headers })
  function sendChunked(coding: string) {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    lines.push(['Content-Type', 'application/json'], ['Transfer-Encoding', coding])
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    return exchange(serviceUrl, requestText('POST', '/v1/entities', lines, chunked))
  }

  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['application/json; charset="utf-8"'],
    ['application/json; charset= utf8 ; x=y'],
    ['application/json; profile=x'],
    ['Application/JSON'],
  ])('the content type %s is accepted', async (type) => {
    expect((await send({ 'content-type': type })).status).toBe(201)
  })

  test.each([
    ['text/plain'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=application/json'],
    ['application/xml'],
    ['application/jsonp'],
    ['application/vnd.api+json'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application'],
    ['*/*'],
    [''],
  ])('the content type "%s" is UNSUPPORTED_MEDIA_TYPE', async (type) => {
    expectError(await send({ 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('two content types are UNSUPPORTED_MEDIA_TYPE', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    lines.push(['Content-Length', `${body.length}`])
    lines.push(['Content-Type', 'application/json'], ['Content-Type', 'application/json'])
    const answer = await exchange(serviceUrl, requestText('POST', '/v1/entities', lines, body))
    expectError(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a compressed body is UNSUPPORTED_MEDIA_TYPE', async () => {
    expectError(await send({ ...json, 'content-encoding': 'gzip' }), 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await sendChunked('gzip, chunked'), 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a body without a content type is UNSUPPORTED_MEDIA_TYPE', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    lines.push(['Content-Length', `${body.length}`])
    const answer = await exchange(serviceUrl, requestText('POST', '/v1/entities', lines, body))
    expectError(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a body of exactly 1 MiB is read and one byte more is PAYLOAD_TOO_LARGE', async () => {
    const post = (raw: string) => client.call('POST', '/v1/memories', { raw, headers: json })
    expect((await post(memoryOfSize(MIB))).status).toBe(201)
    expectError(await post(memoryOfSize(MIB + 1)), 'PAYLOAD_TOO_LARGE')
  })

  test('a text far over the bound is CONTENT_TOO_LONG as long as the body may be read', async () => {
    const raw = `{"userId":"u","content":"${'x'.repeat(MIB - 40)}"}`
    const answer = await client.call('POST', '/v1/memories', { raw, headers: json })
    expectError(answer, 'CONTENT_TOO_LONG')
  })

  test('a declared length that is too large is refused before the body comes', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    lines.push(['Content-Type', 'application/json'], ['Content-Length', `${50 * MIB}`])
    const answer = await exchange(serviceUrl, requestText('POST', '/v1/memories', lines, '{'))
    expectError(answer, 'PAYLOAD_TOO_LARGE')
  })

  test('a chunked body without a declared length is measured while it comes', async () => {
    const lines = ordinaryHeaders(serviceUrl, client.key)
    lines.push(['Content-Type', 'application/json'], ['Transfer-Encoding', 'chunked'])
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const text = requestText('POST', '/v1/memories', lines, chunk.repeat(17))
    expectError(await exchange(serviceUrl, text), 'PAYLOAD_TOO_LARGE')
  })

  test('a small chunked body is as good as any', async () => {
    for (const coding of ['chunked', 'Chunked']) {
      expect((await sendChunked(coding)).status).toBe(201)
    }
  })
})

describe('headers of answers', () => {
  test('the server makes every request id and takes none from the client', async () => {
    const mine = 'my-own-request-id'
    const ids = new Set<string>()
    for (const path of ['/v1/entities', '/v1/nowhere', '/v1/memories?page=0', '/livez']) {
      const answer = await client.get(path, { headers: { 'x-request-id': mine } })
      ids.add(header(answer, 'x-request-id'))
    }
    expect(ids.size).toBe(4)
    expect(ids).not.toContain(mine)
  })

  test('cross-origin requests are not invited', async () => {
    const origin = { origin: 'https://example.com', 'access-control-request-method': 'POST' }
    const get = await client.get('/v1/entities', { headers: origin })
    const preflight = await client.call('OPTIONS', '/v1/entities', { headers: origin })
    for (const answer of [get, preflight]) {
      const names = [...answer.headers.keys()]
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('answers are JSON in UTF-8', async () => {
    for (const path of ['/v1/entities', '/v1/nowhere', '/v1/memories/mem_none']) {
      const type = header(await client.get(path), 'content-type').toLowerCase()
      expect(type.replaceAll(' ', '')).toBe('application/json;charset=utf-8')
    }
  })
})
