// Which path and method mean what: 404 before a body is looked at, 405 with Allow.
import { METHODS } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { OPERATION_IDS, OPERATIONS } from '../../contract/operations.ts'
import { apiClient } from '../../testing/api-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'
import { methodsByPath } from '../method-not-allowed.ts'

const service = await runService()
const key = (await service.newKey()).key
const call = apiClient(service.address, key)
afterAll(() => service[Symbol.asyncDispose]())

/** Sent as it is, which no HTTP client would do with such addresses. */
async function raw(line: string, headers: Record<string, string> = {}, body?: string) {
  using connection = await RawConnection.open(service.address)
  await connection.send(rawRequest(line, { Authorization: `Bearer ${key}`, ...headers }, body))
  const answer = await connection.answer({ toHead: line.startsWith('HEAD') })
  const { error } = answer.body === '' ? { error: undefined } : JSON.parse(answer.body)
  return { ...answer, code: error?.code }
}

test('every operation of the table is routed', async () => {
  for (const id of OPERATION_IDS) {
    const { method, path } = OPERATIONS[id]
    const answer = await call(method, path.replace(':id', 'nobody'))
    expect(['NOT_FOUND', 'METHOD_NOT_ALLOWED'], id).not.toContain(answer.code)
    expect(answer.status, id).toBeLessThan(500)
  }
})

test('every other method of a known path is 405, and Allow names the right ones', async () => {
  const fresh = await service.newKey()
  using connection = await RawConnection.open(service.address)
  for (const [path, allowed] of methodsByPath()) {
    for (const method of METHODS) {
      if (method === 'CONNECT' || allowed.includes(method)) continue
      const line = `${method} ${path.replace(':id', 'mem_x')}`
      await connection.send(rawRequest(line, { Authorization: `Bearer ${fresh.key}` }))
      const answer = await connection.answer({ toHead: method === 'HEAD' })
      expect(answer.status, line).toBe(405)
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
      expect(answer.headers.get('x-quota-used')).toBe('0')
    }
  }
})

test('whoever asks for what is not there reads where to look', async () => {
  const said = async (method: string, path: string) =>
    Object(Object((await call(method, path)).body).error).message
  expect(await said('PATCH', '/v1/memories/mem_x')).toBe(
    'This path does not support the method, only GET, HEAD, DELETE.',
  )
  expect(await said('GET', '/v1/memories/search')).toBe(
    'This path does not support the method, only POST.',
  )
  expect(await said('GET', '/v1/memories/')).toBe(
    'There is nothing at this path. /docs shows those of the API; none has a slash at its end.',
  )
})

test('a trailing slash makes another path, for every path and method', async () => {
  for (const path of methodsByPath().keys()) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const line = `${method} ${path.replace(':id', 'mem_x')}/`
      expect(await raw(line), line).toMatchObject({ status: 404 })
      expect(await raw(`${line}?a=b`), line).toMatchObject({ status: 404 })
    }
  }
})

test('a slash at the end of the query is part of the query', async () => {
  for (const query of ['userId=a/', 'userId=a/?', 'x=/']) {
    expect(await call('GET', `/v1/memories?${query}`)).toMatchObject({ status: 200 })
  }
})

test('other letter case, doubled slashes and unknown paths are 404', async () => {
  const paths = ['/v1', '/v1/', '/v1/Memories', '/v1/memorie', '/v1/memories/a/b', '/v1//memories']
  for (const path of [...paths, '/v1/memories//', '/v1/memories;x=1', '/v1/memories#?userId=a']) {
    expect(await raw(`GET ${path}`), path).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
  for (const path of ['/V1/memories', '//v1/memories', '*', '/v2/memories', '/v1x']) {
    expect(await raw(`GET ${path}`), path).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
})

test('an unknown path is 404 whatever its body says it is', async () => {
  for (const path of ['/v1/nothing', '/nothing', '/']) {
    for (const type of ['text/plain', 'application/json', 'application/xml', '@@@', '']) {
      const answer = await raw(`POST ${path}`, { 'Content-Type': type }, '{broken')
      expect(answer, `${path} ${type}`).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
  }
})

test('the absolute form of an address means the same as the usual one', async () => {
  expect(await raw('GET http://any.host/v1/entities?limit=1')).toMatchObject({ status: 200 })
  expect(await raw('GET http://any.host')).toMatchObject({ status: (await raw('GET /')).status })
})
