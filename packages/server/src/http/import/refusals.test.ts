// Who may not open an import hears so before a byte of its body is read.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { IMPORT_PATH } from '../../contract/import.ts'
import { apiClient } from '../../testing/api-client.ts'
import { type ConsoleClient, joinConsole, setUpConsole } from '../../testing/console-client.ts'
import { code, ImportConnection } from '../../testing/import-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

let key: string
const service = await runService()
beforeEach(async () => {
  key = (await service.newKey()).key
})
afterAll(() => service[Symbol.asyncDispose]())

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
  const line = JSON.stringify({ content: 'a', userId: 'u' })
  const served = await RawConnection.open(service.address)
  await served.send(
    rawRequest(`POST ${IMPORT_PATH}`, {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/x-ndjson',
      'Content-Length': String(line.length),
      Expect: '100-continue',
      Connection: 'close',
    }),
  )
  expect(await served.answer()).toMatchObject({ status: 100 })
  await served.send(line)
  expect(await served.answer({ toHead: true })).toMatchObject({ status: 200 })
  expect(await served.ended()).toContain('"created":1')
})

test.each([
  ['application/x-ndjson', 200],
  ['application/NDJSON; charset=utf-8', 200],
  ['application/jsonl', 200],
  ['application/x-jsonlines', 200],
  ['application/ndjson-seq', 415],
  ['text/plain', 415],
])('a body of the type %s is answered %i', async (type, status) => {
  const connection = new ImportConnection(service.address, key, { 'content-type': type })
  connection.end()
  expect(await connection.head()).toMatchObject({ status })
  connection.destroy()
})

test('when as many imports are open as there may be, the next one is told when to come, and it is no error in the log', async () => {
  const lines: string[] = []
  await using full = await runService({
    logTo: { write: (line) => lines.push(line) },
    settings: { MNEMOGRAPH_LOG_LEVEL: 'warn' },
  })
  for (let opened = 0; opened < 32; opened += 1) {
    const own = (await full.newKey()).key
    const open = new ImportConnection(full.address, own)
    // The head of an answer comes with its first line.
    await open.sendLines([{}])
    expect(await open.head()).toMatchObject({ status: 200 })
  }
  const late = new ImportConnection(full.address, (await full.newKey()).key)
  expect(await late.head()).toMatchObject({ status: 503, headers: { 'retry-after': '10' } })
  expect(await late.next()).toMatchObject({
    error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Too many imports') },
  })
  expect(lines).toEqual([])
})

test('the keys of one account together leave the last places to others', async () => {
  await using full = await runService()
  const made = async (owner: ConsoleClient): Promise<string> =>
    Object((await owner.post('/keys', { name: 'app', plan: 'free' })).body).secret
  /** The status of an import that stays open, if it is let in. */
  const opened = async (as: string): Promise<number | undefined> => {
    const connection = new ImportConnection(full.address, as)
    await connection.sendLines([{}])
    return (await connection.head()).status
  }
  const admin = await setUpConsole(full)
  const member = await joinConsole(full, 'bea@example.com')
  for (let keys = 0; keys < 12; keys += 1) {
    const own = await made(admin)
    expect([await opened(own), await opened(own)]).toEqual([200, 200])
  }
  expect(await opened(await made(admin))).toBe(503)
  expect(await opened(await made(member))).toBe(200)
})
