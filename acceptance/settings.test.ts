/**
 * Servers with other settings than the default: an embedder that is a service of its own, with its
 * failures, and origins that browsers may call from.
 */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { header } from './harness/answer.ts'
import { Client } from './harness/client.ts'
import { type EmbeddingStub, startEmbeddingStub } from './harness/embedding-stub.ts'
import { expectError } from './harness/errors.ts'
import { issueKey } from './harness/keys.ts'
import { createMemory } from './harness/operations.ts'
import { quotaUsed } from './harness/quota.ts'
import { memoryPageOf, searchResultsOf } from './harness/records.ts'
import {
  freshDataDir,
  removeDataDir,
  runUntilExit,
  type ServerProcess,
  startServer,
} from './harness/server-process.ts'
import { describeManaged } from './harness/service.ts'

// Every case starts processes, some of them several.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeManaged('an embedder that is a service', () => {
  let stub: EmbeddingStub
  let dataDir: string
  let server: ServerProcess
  let client: Client
  beforeAll(async () => {
    stub = await startEmbeddingStub('counting-words')
    dataDir = await freshDataDir()
    server = await startServer(dataDir, stub.settings)
  })
  beforeEach(async () => {
    client = new Client(server.url, (await issueKey(dataDir, { plan: 'free' })).key)
  })
  afterAll(async () => {
    await server.stop()
    await stub.stop()
    await removeDataDir(dataDir)
  })

  const search = async (query: string) => {
    const answer = await client.post('/v1/memories/search', { query, threshold: 0 })
    return searchResultsOf(answer.body)
  }

  test('texts are embedded by the service that the settings name, with its key and model', async () => {
    const content = 'Red kites over the harbour.'
    await createMemory(client, { content: 'Invoices are due in March.', userId: 'u' })
    await createMemory(client, { content, userId: 'u' })
    const results = await search(content)
    expect(results.map((result) => result.content)[0]).toBe(content)
    expect(results[0]?.score).toBe(1)
    expect([...stub.asked]).toEqual(['Bearer stub-key counting-words /v1/embeddings'])
  })

  test('a store refuses another model than the one that made its vectors, and says why', async () => {
    await createMemory(client, { content: 'A first text.', userId: 'u' })
    await server.stop()
    const refused = await runUntilExit(dataDir, { MNEMOGRAPH_EMBEDDER: 'local' })
    expect(refused.status).toBeGreaterThan(0)
    expect(refused.stderr).toContain('counting-words')
    expect(refused.stderr).toContain('mnemograph reembed')
    expect(refused.stdout).not.toContain('listening')
    server = await startServer(dataDir, stub.settings)
    client = new Client(server.url, client.key)
    expect((await search('A first text.'))[0]?.score).toBe(1)
  })

  test('while the embedder is away nothing is stored or counted, and all else is served', async () => {
    const memory = await createMemory(client, { content: 'Stored before.', userId: 'u' })
    const used = await quotaUsed(client)
    stub.setAway(true)
    // A single failure happens to everybody; several of them make the server unready.
    for (let index = 0; index < 3; index += 1) {
      const create = await client.post('/v1/memories', { content: 'Lost?', userId: 'u' })
      const find = await client.post('/v1/memories/search', { query: 'before' })
      for (const answer of [create, find]) {
        expectError(answer, 'SERVICE_UNAVAILABLE')
        expect(answer.headers.has('retry-after')).toBe(true)
        expect(answer.text).not.toContain('stub-key')
      }
    }
    expect(await quotaUsed(client)).toBe(used)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    expect((await client.get(`/v1/memories/${memory.id}`)).status).toBe(200)
    expect((await client.post('/v1/entities', { name: 'Ada', type: 'PERSON' })).status).toBe(201)

    stub.setAway(false)
    const ready = async () => (await fetch(`${server.url}/readyz`)).status
    await expect.poll(ready, { timeout: 30_000, interval: 250 }).toBe(200)
    const again = await client.post('/v1/memories', { content: 'Not lost.', userId: 'u' })
    expect(again.status).toBe(201)
    const list = memoryPageOf((await client.get('/v1/memories')).body)
    expect(list.items.map((item) => item.content)).toEqual(['Not lost.', 'Stored before.'])
  })
})

describeManaged('origins that browsers may call from', () => {
  const allowed = 'https://app.example.com'
  let dataDir: string
  let server: ServerProcess
  beforeAll(async () => {
    dataDir = await freshDataDir()
    server = await startServer(dataDir, { MNEMOGRAPH_CORS_ORIGINS: allowed })
  })
  afterAll(async () => {
    await server.stop()
    await removeDataDir(dataDir)
  })

  const preflight = (path: string, origin: string) =>
    fetch(server.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    })

  test('a configured origin may call /v1 and /mcp, and its preflight needs no key', async () => {
    for (const path of ['/v1/memories', '/mcp']) {
      const answer = await preflight(path, allowed)
      expect(answer.ok).toBe(true)
      expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/POST/)
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
        'authorization',
      )
    }
    const { key } = await issueKey(dataDir)
    const get = await new Client(server.url, key).get('/v1/entities', {
      headers: { origin: allowed },
    })
    expect(header(get, 'access-control-allow-origin')).toBe(allowed)
    expect(header(get, 'access-control-expose-headers').toLowerCase()).toContain('x-request-id')
  })

  test('any other origin is not invited, and no origin outside /v1 and /mcp', async () => {
    for (const origin of ['https://evil.example.com', `${allowed}.evil.com`, 'null']) {
      for (const path of ['/v1/memories', '/mcp']) {
        const answer = await preflight(path, origin)
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      }
    }
    for (const path of ['/import/memories', '/forget/memories', '/console/api/start']) {
      const answer = await preflight(path, allowed)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    const outside = await fetch(`${server.url}/metrics`, { headers: { origin: allowed } })
    expect(outside.headers.get('access-control-allow-origin')).toBeNull()
  })
})
