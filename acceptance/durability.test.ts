/**
 * What survives a restart, and what must not: records, counts, keys and idempotency survive; a
 * deleted text leaves the files. The folder is read byte by byte, as a thief would.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { numberHeader } from './harness/answer.ts'
import { Client } from './harness/client.ts'
import { expectError } from './harness/errors.ts'
import { issueKey, type KeyOptions, listKeys, revokeKey } from './harness/keys.ts'
import { createEntity, createMemory, createRecords } from './harness/operations.ts'
import { quotaUsed } from './harness/quota.ts'
import { entityOf, memoryOf, relationOf, searchResultsOf } from './harness/records.ts'
import {
  freshDataDir,
  removeDataDir,
  type ServerProcess,
  startServer,
} from './harness/server-process.ts'
import { describeManaged } from './harness/service.ts'
import { describeOn } from './harness/store.ts'

// Every case starts processes, some of them several.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let dataDir: string
let server: ServerProcess
let client: Client

/** The files of the folder that hold the text, in UTF-8 or UTF-16, in any letter case. */
async function filesHolding(text: string): Promise<string[]> {
  const holding: string[] = []
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    const folded = bytes.toString('latin1').toLowerCase()
    const wide = Buffer.from(text, 'utf16le').toString('latin1')
    if (folded.includes(text) || folded.includes(wide)) holding.push(path)
  }
  return holding
}

/** Puts the text into every field of every kind of record; returns what has to be deleted. */
async function storeEverywhere(text: string): Promise<string[]> {
  const metadata = { [text]: [text.repeat(900)] }
  const content = `The ${text} sang. `.repeat(150)
  const fields = { content, userId: text, agentId: text, tags: [text], metadata }
  const headers = { 'idempotency-key': randomUUID() }
  const memory = memoryOf((await client.post('/v1/memories', fields, headers)).body)
  const description = `About ${text}.`
  const entity = await createEntity(client, text, { description, metadata })
  const link = { sourceId: entity.id, targetId: entity.id, type: text, metadata }
  expect((await client.post('/v1/relations', link)).status).toBe(201)
  return [`/v1/memories/${memory.id}`, `/v1/entities/${entity.id}`]
}

/** Makes one of everything; what is returned looks, after a start, whether it is as it was. */
async function everythingAnswered(): Promise<() => Promise<void>> {
  const { key } = client
  const records = await createRecords(client)
  const doomed = await createMemory(client, { content: 'Soon deleted.', userId: 'u' })
  await client.delete(`/v1/memories/${doomed.id}`)
  const used = await quotaUsed(client)
  const search = { query: records.memory.content, threshold: 0 }
  const before = searchResultsOf((await client.post('/v1/memories/search', search)).body)
  return async () => {
    const later = new Client(server.url, key)
    expect(await quotaUsed(later)).toBe(used + 1)
    const path = (noun: string, id: string) => later.get(`/v1/${noun}/${id}`)
    expect(memoryOf((await path('memories', records.memory.id)).body)).toEqual(records.memory)
    expect(entityOf((await path('entities', records.source.id)).body)).toEqual(records.source)
    const { source, target, ...relation } = relationOf(
      (await path('relations', records.relation.id)).body,
    )
    expect(relation).toEqual(records.relation)
    expect([source.id, target.id]).toEqual([records.source.id, records.target.id])
    expectError(await path('memories', doomed.id), 'MEMORY_NOT_FOUND')
    const after = searchResultsOf((await later.post('/v1/memories/search', search)).body)
    expect(after).toEqual(before)
  }
}

/** Everything that is to outlive a stop, with what became of it. One stop is enough for all cases about it. */
async function stopAndStart() {
  const expectEverything = await everythingAnswered()
  const keyOfRecords = client.key
  const issue = async (options: KeyOptions = {}) => (await issueKey(dataDir, options)).key
  const once = {
    body: { name: 'Once', type: 'OTHER' },
    headers: { 'idempotency-key': randomUUID() },
  }
  const creator = await issue({ plan: 'free' })
  const created = await new Client(server.url, creator).post(
    '/v1/entities',
    once.body,
    once.headers,
  )
  const [kept, revoked] = [await issueKey(dataDir), await issueKey(dataDir)]
  const reader = await issue({ plan: 'hobby', limits: { read: 10 } })
  for (let index = 0; index < 5; index += 1) {
    await new Client(server.url, reader).get('/v1/memories')
  }
  expect(await server.stop('SIGTERM')).toBe(0)
  const filesWithKey = [
    await filesHolding(keyOfRecords.toLowerCase()),
    await filesHolding(keyOfRecords.slice(4, 40).toLowerCase()),
  ]
  await revokeKey(dataDir, revoked.id)
  const late = await issueKey(dataDir)
  server = await startServer(dataDir)
  const sixthRead = await new Client(server.url, reader).get('/v1/memories')
  return {
    expectEverything,
    filesWithKey,
    created: { ...once, answer: created, key: creator },
    keys: { kept, revoked, late },
    sixthRead,
  }
}

let stopped: ReturnType<typeof stopAndStart> | undefined
const afterStop = (): ReturnType<typeof stopAndStart> => {
  stopped ??= stopAndStart()
  return stopped
}

describeManaged('a folder of its own', () => {
  beforeAll(async () => {
    dataDir = await freshDataDir()
    server = await startServer(dataDir)
  })
  beforeEach(async () => {
    const { key } = await issueKey(dataDir, { plan: 'free' })
    client = new Client(server.url, key)
  })
  afterAll(async () => {
    await server.stop()
    await removeDataDir(dataDir)
  })

  test.each([['SIGTERM'], ['SIGKILL']] as const)(
    'everything answered is there after %s and a new start',
    async (signal) => {
      if (signal === 'SIGTERM') return (await afterStop()).expectEverything()
      const expectEverything = await everythingAnswered()
      // The count of a read goes to disk within 25 ms; all else is there when it is answered.
      await pause(100)
      await server.stop(signal)
      server = await startServer(dataDir)
      await expectEverything()
    },
  )

  test('an idempotency key is remembered across restarts', async () => {
    const { body, headers, answer, key } = (await afterStop()).created
    const creator = new Client(server.url, key)
    const replay = await creator.post('/v1/entities', body, headers)
    expect([replay.status, replay.text]).toEqual([201, answer.text])
    const other = await creator.post('/v1/entities', { ...body, name: 'Two' }, headers)
    expectError(other, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('the count of reads survives a stop', async () => {
    expect(numberHeader((await afterStop()).sixthRead, 'x-quota-used')).toBe(6)
  })

  describeOn('embedded', 'windows lie in memory', () => {
    test('the windows of the rate limit start afresh with the server', async () => {
      expect(numberHeader((await afterStop()).sixthRead, 'x-ratelimit-remaining')).toBe(9)
    })
  })

  describeOn('postgres', 'windows lie in the database', () => {
    test('the windows of the rate limit outlive the server', async () => {
      expect(numberHeader((await afterStop()).sixthRead, 'x-ratelimit-remaining')).toBe(4)
    })
  })

  test('keys made and revoked while no server runs are known to the next one', async () => {
    const { kept, late, revoked } = (await afterStop()).keys
    const status = async (key: string) =>
      (await new Client(server.url, key).get('/v1/entities')).status
    expect([await status(kept.key), await status(late.key), await status(revoked.key)]).toEqual([
      200, 200, 401,
    ])
    const statuses = new Map((await listKeys(dataDir)).map((key) => [key.id, key.status]))
    expect([statuses.get(kept.id), statuses.get(revoked.id)]).toEqual(['active', 'revoked'])
  })

  describeOn('embedded', 'reads the files of the folder', () => {
    test('the files hold no API key', async () => {
      expect((await afterStop()).filesWithKey).toEqual([[], []])
    })

    test('a deleted text leaves no trace in the files, while the server runs and after it', async () => {
      const canary = 'zqcanaryxwv48213'
      const kept = 'zqsurvivorbnm7519'
      const doomed = await storeEverywhere(canary)
      // Neighbours that stay make the store move rows within its pages when the others go.
      for (let index = 0; index < 12; index += 1) {
        await createMemory(client, { content: `${kept} ${index}`, userId: kept })
        const metadata = { pad: canary.repeat(index * 60) }
        const memory = { content: `${canary} ${index}`, userId: canary, tags: [canary], metadata }
        doomed.push(`/v1/memories/${(await createMemory(client, memory)).id}`)
      }
      await client.post('/v1/memories/search', { query: `${canary} song`, userId: canary })
      await client.get(`/v1/entities?search=${canary}`)
      // The test can see: while the records exist, the text is in the files.
      expect(await filesHolding(canary)).not.toEqual([])

      for (const path of doomed) expect((await client.delete(path)).status).toBe(200)
      await expect.poll(() => filesHolding(canary), { timeout: 10_000, interval: 250 }).toEqual([])
      expect(await filesHolding(kept)).not.toEqual([])
      // The last case needs no start after it.
      await server.stop()
      expect(await filesHolding(canary)).toEqual([])
    })
  })
})
