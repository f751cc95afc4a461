// What callers meet while the database is away, does not answer, or ends a connection at the worst
// moment: a refusal within seconds that says to come back, never a guess about a write, and the old
// service again without a restart of it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, apiClient } from '../../testing/api-client.ts'
import {
  administer,
  type Cluster,
  hasPostgres,
  newEmptyDatabase,
  startCluster,
  type TestDatabase,
} from '../../testing/postgres.ts'
import { type Cut, type Forwarder, startForwarder } from '../../testing/postgres-forwarder.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { StoreRefusal } from '../store.ts'
import { prepareDatabase } from './open-store.ts'

const MEMORY = { content: 'Anna prefers dark roast coffee.', userId: 'anna' }
const SEARCH = { query: 'Who likes coffee?' }
/** More requests at once than connections: some wait for one. */
const CONNECTIONS = 3
const ANSWERED_WITHIN_MS = 5_000
const RECOVERY = { timeout: 15_000 }

describe.skipIf(!hasPostgres())('the database fails', () => {
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.remove())

  const database = (): Promise<TestDatabase> => newEmptyDatabase(cluster.url)

  async function serve(url: string, settings: Record<string, string> = {}): Promise<TestService> {
    const service = await runService({
      settings: {
        DATABASE_URL: url,
        MNEMOGRAPH_DATABASE_CONNECTIONS: `${CONNECTIONS}`,
        ...settings,
      },
    })
    onTestFinished(() => service[Symbol.asyncDispose]())
    return service
  }

  /** With a database and a key of its own. */
  async function serveDatabase() {
    const { url } = await database()
    const service = await serve(url)
    return { service, name: new URL(url).pathname.slice(1), key: (await service.newKey()).key }
  }

  async function forward(): Promise<Forwarder> {
    const forwarder = await startForwarder((await database()).url)
    onTestFinished(() => forwarder.close())
    return forwarder
  }

  /** Requests of every kind, all at once; each has to end before a caller's patience does. */
  async function expectAway(service: TestService, key: string): Promise<void> {
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${service.address}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      })
    const post = (path: string, json: unknown) =>
      ask(path, { method: 'POST', body: JSON.stringify(json) })
    const round = () => [
      post('/v1/memories', MEMORY),
      post('/v1/memories/search', SEARCH),
      ask('/v1/memories'),
      ask('/v1/entities/ent_none', { method: 'DELETE' }),
    ]
    const [ready, alive, ...answers] = await Promise.all([
      ask('/readyz'),
      ask('/livez'),
      ...round(),
      ...round(),
    ])
    expect([ready.status, alive.status]).toEqual([503, 200])
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    }
  }

  test('stopped: 503 with Retry-After, not ready, alive; and it serves again once the database does', async () => {
    const service = await serve((await database()).url)
    const { key } = await service.newKey()
    const call = apiClient(service.address, key)
    const { id } = await call('POST', '/v1/memories', { json: MEMORY })
    for (const mode of ['immediate', 'fast'] as const) {
      await cluster.stop(mode)
      try {
        await expectAway(service, key)
      } finally {
        await cluster.start()
      }
      expect((await call('GET', '/readyz')).status).toBe(200)
      expect((await call('GET', `/v1/memories/${id}`)).status).toBe(200)
      expect((await call('POST', '/v1/memories', { json: MEMORY })).status).toBe(201)
    }
  })

  test('silent: a server that does not answer any more is refused as fast, and comes back as well', async () => {
    const forwarder = await forward()
    const service = await serve(forwarder.url)
    const { key } = await service.newKey()
    const call = apiClient(service.address, key)
    // As many connections as there can be are open and idle when it happens.
    const warm = () => call('POST', '/v1/memories', { json: MEMORY })
    await Promise.all(Array.from({ length: 2 * CONNECTIONS }, warm))
    forwarder.swallow()
    await expectAway(service, key)
    forwarder.pass()
    // What still waits for the silent server may take somebody along, but not for long.
    await expect.poll(async () => (await call('GET', '/readyz')).status, RECOVERY).toBe(200)
    await expect.poll(async () => (await warm()).status, RECOVERY).toBe(201)
  })

  test('whatever keeps the service from a connection is the database being away, not a bug', async () => {
    const { service, name, key } = await serveDatabase()
    await administer(
      cluster.url,
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false;
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    await expectAway(service, key)
    await administer(cluster.url, `ALTER DATABASE ${name} RENAME TO ${name}_away`)
    await expectAway(service, key)
  })

  test('read-only, as a primary that has become a standby: not ready, and no connection is kept to it', async () => {
    const { service, name, key } = await serveDatabase()
    await administer(
      cluster.url,
      `ALTER DATABASE ${name} SET default_transaction_read_only = on;
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    await expect.poll(async () => (await fetch(`${service.address}/readyz`)).status).toBe(503)
    await expectAway(service, key)
    await administer(cluster.url, `ALTER DATABASE ${name} SET default_transaction_read_only = off`)
    const call = apiClient(service.address, key)
    const create = () => call('POST', '/v1/memories', { json: MEMORY })
    // Each connection can be met once more, and is not waited for until it has been idle for long.
    for (let n = 0; n < CONNECTIONS; n += 1) await create()
    expect((await create()).status).toBe(201)
    await expect.poll(async () => (await call('GET', '/readyz')).status, RECOVERY).toBe(200)
  })

  test('away at the start: the start is refused with the reason', async () => {
    const forwarder = await forward()
    await forwarder.close()
    await expect(serve(forwarder.url)).rejects.toThrow(StoreRefusal)
    await expect(serve(forwarder.url)).rejects.toThrow('DATABASE_URL cannot be opened')
  })

  test('a server that may lose what it acknowledges is refused, unless a person says otherwise', async () => {
    const { url } = await database()
    onTestFinished(() => set('RESET ALL'))
    const names = ['fsync', 'full_page_writes', 'synchronous_commit']
    for (const name of names) {
      await set('RESET ALL')
      await set(`SET ${name} = off`)
      const refused = () => prepareDatabase({ url, durability: 'required' })
      // The server takes the setting over soon after it was told to.
      await expect.poll(() => refused().catch(messageOf)).toContain(`runs with ${name} = off`)
      await expect(refused()).rejects.toThrow(StoreRefusal)
    }
    await expect(serve(url)).rejects.toThrow('MNEMOGRAPH_DATABASE_DURABILITY=unchecked')
    const service = await serve(url, { MNEMOGRAPH_DATABASE_DURABILITY: 'unchecked' })
    const { key } = await service.newKey()
    const call = apiClient(service.address, key)
    expect((await call('POST', '/v1/memories', { json: MEMORY })).status).toBe(201)
  })

  test.each<[Cut, number]>([
    ['before the server hears of it', 0],
    ['before its answer comes back', 1],
  ])(
    'a commit whose connection ends %s is answered as unavailable and never repeated; the caller can, with its Idempotency-Key',
    async (moment, stored) => {
      const forwarder = await forward()
      const service = await serve(forwarder.url)
      const { key } = await service.newKey()
      const call = apiClient(service.address, key)
      const create = (name: string, headers: Record<string, string> = {}): Promise<Answer> =>
        call('POST', '/v1/entities', { json: { name, type: 'PERSON' }, headers })
      const totalOf = async (name: string): Promise<unknown> =>
        Object(Object((await call('GET', `/v1/entities?search=${name}`)).body).pagination).total

      forwarder.cutCommitAfter('Anna', moment)
      const answer = await create('Anna')
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(forwarder.timesSent()).toBe(1)
      expect(await totalOf('Anna')).toBe(stored)

      forwarder.cutCommitAfter('Ben', moment)
      const once = (): Promise<Answer> => create('Ben', { 'idempotency-key': 'once' })
      expect((await once()).status).toBe(503)
      expect(forwarder.timesSent()).toBe(1)
      const again = await once()
      expect([again.status, (await once()).text]).toEqual([201, again.text])
      expect(await totalOf('Ben')).toBe(1)
    },
  )

  async function set(setting: string): Promise<void> {
    await administer(cluster.url, `ALTER SYSTEM ${setting}`)
    await administer(cluster.url, 'SELECT pg_reload_conf()')
  }
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
