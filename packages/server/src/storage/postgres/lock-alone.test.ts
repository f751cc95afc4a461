// What only the connection of the lock tells. Who is refused beside it is said in moving.test.ts, and that
// nothing is written after it was lost in reembedding.test.ts.
import { readFileSync } from 'node:fs'
import { expect, inject, onTestFinished, test } from 'vitest'
import { administer, newDatabase } from '../../testing/postgres.ts'
import { openPostgresArchiveTarget } from './open-archive.ts'
import { openPostgresReembedding } from './open-reembedding.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
/** Of a server that somebody named, the address may be that of another network's. */
const isOurOwn = server !== undefined && process.env['TEST_DATABASE_URL'] === undefined
const PROBED_WITHIN_S = 60
/** Of the timers of Linux. */
const KEEPALIVE = '02'

/** Of the server's end of a connection: when it looks whether the client is still there. */
function probedInS(clientPort: number): number | undefined {
  const port = clientPort.toString(16).toUpperCase().padStart(4, '0')
  const ends = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const columns = ends.map((line) => line.trim().split(/\s+/))
  const timer = columns.find(([, , client]) => client?.endsWith(`:${port}`))?.[5]
  const [kind, hundredths = ''] = timer?.split(':') ?? []
  return kind === KEEPALIVE ? Number.parseInt(hundredths, 16) / 100 : undefined
}

test.runIf(process.platform === 'linux' && isOurOwn).each([
  ['a re-embedding', openPostgresReembedding],
  ['an import', openPostgresArchiveTarget],
])(
  '%s whose machine vanished keeps others from beginning for a minute, not for hours',
  async (_, open) => {
    const { ask, options } = await ownedDatabase(server ?? '')
    const opened = await open(options)
    onTestFinished(() => opened.close())
    const [holder] = await ask(
      `SELECT client_port AS port FROM pg_stat_activity JOIN pg_locks USING (pid)
       WHERE datname = current_database() AND locktype = 'advisory'`,
    )
    const probed = () => probedInS(Number(holder?.['port']))
    // Not while the server waits for the client to have its answer.
    await expect.poll(probed).toBeDefined()
    expect(probed()).toBeLessThan(PROBED_WITHIN_S)
  },
)

test.skipIf(server === undefined)(
  'an import that has lost its place to another process writes nothing more',
  async () => {
    const { url, administratorUrl, drop } = await newDatabase(server ?? '')
    onTestFinished(drop)
    const options = { url, durability: 'required' } as const
    const target = await openPostgresArchiveTarget(options)
    await target.begin('archive', undefined)
    // As a restart of the server does.
    await administer(
      administratorUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
       WHERE datname = current_database() AND locktype = 'advisory'`,
    )
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
