// What the connection of the lock tells, and what becomes of the work when it is lost. Who is refused beside
// it is said in moving.test.ts.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { listenDuringTest } from '../../../testing/listen-during-test.ts'
import { administer, newDatabase } from '../../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import type { ReembeddingStore } from '../../generation.ts'
import { openPostgresArchiveTarget } from '../archive/open-archive.ts'
import { openPostgresReembedding } from '../reembedding/open-reembedding.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { lockAlone } from './lock-alone.ts'

const server = inject('postgresUrl')
/** Of a server that somebody named, the address may be that of another network's. */
const isOurOwn = server !== undefined && process.env['TEST_DATABASE_URL'] === undefined
const PROBED_WITHIN_S = 60
/** As a restart of the server does. */
const LOSE_LOCK = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
  WHERE datname = current_database() AND locktype = 'advisory'`
/** Of the timers of Linux. */
const KEEPALIVE = '02'

/**
 * Of one end of a connection: when it looks whether the other one is still there. Both ports tell which: the
 * client's alone may be that of a connection to somebody else too, even of one that has just ended.
 */
function probesInS(ownPort: number, otherPort: number): number | undefined {
  const port = (at: number) => `:${at.toString(16).toUpperCase().padStart(4, '0')}`
  const ends = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const columns = ends.map((line) => line.trim().split(/\s+/))
  const timer = columns.find(
    ([, local, remote]) => local?.endsWith(port(ownPort)) && remote?.endsWith(port(otherPort)),
  )?.[5]
  const [kind, hundredths = ''] = timer?.split(':') ?? []
  return kind === KEEPALIVE ? Number.parseInt(hundredths, 16) / 100 : undefined
}

test.runIf(process.platform === 'linux' && isOurOwn).each([
  ['a re-embedding', openPostgresReembedding],
  ['an import', openPostgresArchiveTarget],
])(
  '%s whose way to the database broke keeps others from beginning for a minute, and hears of it before they begin',
  async (_, open) => {
    const { ask, options } = await ownedDatabase(server ?? '')
    const opened = await open(options)
    onTestFinished(() => opened.close())
    const [holder] = await ask(
      `SELECT inet_server_port() AS server, client_port AS client FROM pg_stat_activity JOIN pg_locks USING (pid)
       WHERE datname = current_database() AND locktype = 'advisory'`,
    )
    const [there, here] = [Number(holder?.['server']), Number(holder?.['client'])]
    // Not while an end waits for the other one to have what it sent.
    const ofServer = () => probesInS(there, here)
    await expect.poll(ofServer).toBeDefined()
    expect(ofServer()).toBeLessThan(PROBED_WITHIN_S)
    const ofClient = () => probesInS(here, there)
    await expect.poll(ofClient).toBeDefined()
    expect(ofClient()).toBeLessThan(PROBED_WITHIN_S)
  },
)

test('a server that takes a connection and stays silent keeps nobody waiting for the lock', async () => {
  const port = await listenDuringTest(createServer())
  const url = `postgres://127.0.0.1:${port}/any`
  const timeouts = { connectMs: 50, statementMs: 50, lockMs: 50 }
  const locked = lockAlone({ url, timeouts, lock: '1' }, 'It is taken.', () => undefined)
  await expect(locked).rejects.toMatchObject({ kind: 'unavailable' })
})

test.skipIf(server === undefined)(
  'an import that has lost its place to another process writes nothing more',
  async () => {
    const { url, administratorUrl, drop } = await newDatabase(server ?? '')
    onTestFinished(drop)
    const options = { url, durability: 'required' } as const
    const target = await openPostgresArchiveTarget(options)
    await target.begin('archive', undefined)
    await administer(administratorUrl, LOSE_LOCK)
    const another = await openPostgresArchiveTarget(options)
    onTestFinished(() => another.close())
    const late = target.add([{ kind: 'space', space: 1, createdAt: 1 }], {
      blocks: 1,
      checksum: '',
    })
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await another.begin('archive', undefined)).blocks).toBe(0)
  },
)

describe.skipIf(server === undefined)(
  'a re-embedding that has lost its place to another process',
  () => {
    async function begun() {
      const database = await ownedDatabase(server ?? '')
      const { store, generation, newSpace, options } = database
      const memory = memoryOf()
      const { memories } = store.forSpace(await newSpace())
      await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
      const open = async () => {
        const mover = await openPostgresReembedding(options)
        onTestFinished(() => mover.close())
        return mover
      }
      const mover = await open()
      const { number } = await mover.begin({ ...MODEL, id: 'other' })
      const found = await mover.missing({ memoriesMax: 1, charactersMax: 1_000 })
      const add = () =>
        mover.add(found.map(({ ref }) => ({ ref, pieces: [pieceOf(memory.content)] })))
      return { ...database, open, add, number }
    }

    async function discardAll(mover: ReembeddingStore): Promise<void> {
      await mover.discard()
      while (await mover.removeRetired()) {
        // Another step of it.
      }
    }

    test('writes nothing more', async () => {
      const { ask, open, add } = await begun()
      await ask(LOSE_LOCK)
      const another = await open()
      await discardAll(another)
      const { number } = await another.begin({ ...MODEL, id: 'yet another' })
      await expect(add()).rejects.toMatchObject({ kind: 'unavailable' })
      expect(await ask('SELECT * FROM pieces WHERE generation = $1', [number])).toEqual([])
    })

    test('leaves nothing behind of what it was writing when that was discarded', async () => {
      const { ask, open, add, number } = await begun()
      await ask('BEGIN')
      await ask('SELECT * FROM memories FOR UPDATE')
      const late = add()
      // Other tests' databases are on the server, too; who waits for a row holds its table.
      const waiting = `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_locks
        WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()))`
      await expect.poll(async () => (await ask(waiting)).length).toBe(1)
      await ask(LOSE_LOCK)
      let isDiscarded = false
      const discarded = discardAll(await open()).then(() => {
        isDiscarded = true
      })
      await expect.poll(async () => isDiscarded || (await ask(waiting)).length === 2).toBe(true)
      await ask('COMMIT')
      await Promise.all([late, discarded])
      expect(await ask('SELECT * FROM pieces WHERE generation = $1', [number])).toEqual([])
    })
  },
)
