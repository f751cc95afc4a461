// A search whose caller has left without its answer is given up while it waits for the model, and a list while it
// waits for its turn. Who stays is answered, and a create is done, whoever has left.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { setUpConsole } from '../../testing/console-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const signals: AbortSignal[] = []
const releases: (() => void)[] = []
const fake = fakeEmbedder()
/** Until it is let go on, or its caller has left. */
const held = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    releases.push(resolve)
    if (signal === undefined) return
    signals.push(signal)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
const service = await runService({
  embedder: {
    ...fake,
    async embedMemory(...asked) {
      await held(undefined)
      return fake.embedMemory(...asked)
    },
    async embedQuery(query, asker, signal) {
      await held(signal)
      return fake.embedQuery(query, asker)
    },
  },
})
afterAll(() => service[Symbol.asyncDispose]())

const MCP_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_memories', arguments: { query: 'tea of the tool' } },
}

/** Leaves as soon as the model is asked. Returns the key. */
async function askAndLeave(path: string, json: unknown): Promise<string> {
  const { key } = await service.newKey()
  await leaveOnceAsked(path, json, { authorization: `Bearer ${key}` })
  return key
}

async function leaveOnceAsked(
  path: string,
  json: unknown,
  headers: Record<string, string>,
): Promise<void> {
  const leaving = new AbortController()
  releases.length = 0
  const asked = fetch(`${service.address}${path}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(json),
    signal: leaving.signal,
  })
  await expect.poll(() => releases.length).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow()
}

test.each([
  ['a search', '/v1/memories/search', { query: 'tea' }],
  ['a tool’s search', '/mcp', MCP_CALL],
])('%s is given up when its caller leaves', async (_, path, json) => {
  signals.length = 0
  await askAndLeave(path, json)
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a question of the console is given up when the next one is asked', async () => {
  signals.length = 0
  const client = await setUpConsole(service)
  const { body } = await client.post('/keys', { name: 'asks', plan: 'free' })
  const path = `/console/api/keys/${Object(body).key.id}/memories/search`
  const headers = { cookie: client.cookie ?? '', origin: service.address }
  await leaveOnceAsked(path, { query: 'tea' }, headers)
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a search whose body is read is not given up while its caller waits', async () => {
  signals.length = 0
  releases.length = 0
  const { key } = await service.newKey()
  const search = apiClient(service.address, key)('POST', '/v1/memories/search', {
    json: { query: 'tea' },
  })
  await expect.poll(() => releases.length).toBe(1)
  releases[0]?.()
  expect((await search).status).toBe(200)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('a create is done when its caller has left', async () => {
  const key = await askAndLeave('/v1/memories', { content: 'tea', userId: 'anna' })
  releases[0]?.()
  const list = async (): Promise<unknown> =>
    (await apiClient(service.address, key)('GET', '/v1/memories')).body
  await expect.poll(list).toMatchObject({ items: [{ content: 'tea' }] })
})

/** Sends all of it and hangs up; it is not known yet whose it is. */
async function sendAndLeave(request: string): Promise<void> {
  const { admission } = service.service
  const { admit } = admission
  const { hostname, port } = new URL(service.address)
  const client = connect(Number(port), hostname).resume()
  const left = once(client, 'close')
  const admitted = vi.spyOn(admission, 'admit').mockImplementationOnce(async (...asked) => {
    await left
    return admit(...asked)
  })
  client.end(request)
  await expect.poll(() => admitted.mock.settledResults[0]?.type).toBe('fulfilled')
  admitted.mockRestore()
}

test('a create and a delete that had arrived are done, though their callers hung up behind them', async () => {
  const { key } = await service.newKey()
  const call = apiClient(service.address, key)
  const names = async () =>
    Object((await call('GET', '/v1/entities')).body).items.map(({ name }: { name: string }) => name)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  await sendAndLeave(rawRequest('POST /v1/entities', headers, '{"name":"Anna","type":"PERSON"}'))
  await expect.poll(names).toEqual(['Anna'])
  const { body } = await call('GET', '/v1/entities')
  await sendAndLeave(rawRequest(`DELETE /v1/entities/${Object(body).items[0].id}`, headers))
  await expect.poll(names).toEqual([])
})

test.each(['/v1/memories', '/v1/entities', '/v1/relations'])(
  'a list of %s hears that its caller has left',
  async (path) => {
    const { key } = await service.newKey()
    const { store } = service.service
    const begun = Promise.withResolvers<AbortSignal | undefined>()
    const forSpace = vi.spyOn(store, 'forSpace').mockImplementation((space, left) => {
      begun.resolve(left)
      forSpace.mockRestore()
      const never = { page: () => new Promise<never>(() => undefined) }
      const real = store.forSpace(space, left)
      return {
        ...real,
        memories: { ...real.memories, ...never },
        entities: { ...real.entities, ...never },
        relations: { ...real.relations, ...never },
      }
    })
    const leaving = new AbortController()
    const asked = fetch(`${service.address}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leaving.signal,
    })
    const left = await begun.promise
    expect(left?.aborted).toBe(false)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => left?.aborted).toBe(true)
  },
)
