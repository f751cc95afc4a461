// Who may not open an import hears so before a byte of its body is read.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { IMPORT_PATH } from '../../contract/import.ts'
import { apiClient } from '../../testing/api-client.ts'
import { ImportConnection } from '../../testing/import-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let service: TestService
let key: string
beforeEach(async () => {
  service = await runService()
  key = (await service.newKey()).key
})
afterEach(() => service[Symbol.asyncDispose]())

const code = (answer: unknown) => String(Object(Object(answer).error).code ?? '')

test('callers, paths, methods and types are refused as under /v1, before a byte is read', async () => {
  const call = apiClient(service.address, key)
  const endless = { 'content-length': '1000000000' }
  const refusal = async (as: string | undefined, headers: Record<string, string> = {}) => {
    const connection = new ImportConnection(service.address, as, { ...endless, ...headers })
    const { status } = await connection.head()
    const answer = await connection.next()
    connection.destroy()
    return [status, code(answer)]
  }
  expect(await refusal(undefined)).toEqual([401, 'UNAUTHORIZED'])
  expect(await refusal('nobody')).toEqual([401, 'INVALID_API_KEY'])
  const type = { 'content-type': 'application/json' }
  expect(await refusal(key, type)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  const packed = { 'content-encoding': 'gzip' }
  expect(await refusal(key, packed)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  const get = await call('GET', IMPORT_PATH)
  expect(get).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  expect(get.headers.get('allow')).toBe('POST')
  for (const path of ['/import', '/import/entities', `${IMPORT_PATH}/`]) {
    expect(await call('POST', path)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
  expect(await apiClient(service.address)('POST', '/import/x')).toMatchObject({ status: 401 })
})

test('a client that asks before it sends is told to go on only when it may', async () => {
  const asking = { expect: '100-continue', 'transfer-encoding': 'chunked' }
  const refused = new ImportConnection(service.address, 'nobody', asking)
  expect(await refused.head()).toMatchObject({ status: 401 })
  refused.destroy()
  const served = new ImportConnection(service.address, key, asking)
  await served.sendLines([{ content: 'a', userId: 'u' }])
  served.end()
  expect((await served.rest()).at(-1)).toMatchObject({ summary: { created: 1 } })
})

test('when as many imports are open as there may be, the next one is told when to come, and it is no error in the log', async () => {
  const lines: string[] = []
  await service[Symbol.asyncDispose]()
  service = await runService({
    logTo: { write: (line) => lines.push(line) },
    settings: { MNEMOGRAPH_LOG_LEVEL: 'warn' },
  })
  for (let opened = 0; opened < 32; opened += 1) {
    if (opened % 2 === 0) key = (await service.newKey()).key
    const open = new ImportConnection(service.address, key)
    // The head of an answer comes with its first line.
    await open.sendLines([{}])
    expect(await open.head()).toMatchObject({ status: 200 })
  }
  const late = new ImportConnection(service.address, (await service.newKey()).key)
  expect(await late.head()).toMatchObject({ status: 503, headers: { 'retry-after': '10' } })
  expect(await late.next()).toMatchObject({
    error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Too many imports') },
  })
  expect(lines).toEqual([])
})
