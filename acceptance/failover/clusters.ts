/**
 * PostgreSQL servers of our own: one alone, or a primary with a synchronous standby. The only file
 * here that knows anything of the product's own: how its tests start a PostgreSQL.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import {
  administer,
  type Cluster,
  hasPostgres,
  newEmptyDatabase,
  startCluster,
  urlOfDatabase,
} from '../../packages/server/src/testing/postgres.ts'

export { type Cluster, hasPostgres, startCluster }

const STANDBY = 'standby'
const ATTACH_TIMEOUT_MS = 30_000

export async function newDatabaseUrl(cluster: Cluster): Promise<string> {
  return (await newEmptyDatabase(cluster.url)).url
}

interface Pair {
  readonly primary: Cluster
  readonly standby: Cluster
  /** Makes the standby the primary. */
  promote(): Promise<void>
  remove(): Promise<void>
}

/** Every commit on the primary waits until the standby has it on its disk. */
export async function startPair(): Promise<Pair> {
  const primary = await startCluster()
  const standby = await startCluster({
    settings: { cluster_name: STANDBY },
    make: async ({ data, run }) => {
      const from = urlOfDatabase(primary.url, 'postgres')
      await run('pg_basebackup', ['-D', data, '-d', from, '-R', '-c', 'fast', '--no-sync'])
    },
  }).catch(async (error: unknown) => {
    await primary.remove()
    throw error
  })
  const pair: Pair = {
    primary,
    standby,
    promote: () => administer(standby.url, 'SELECT pg_promote()'),
    async remove() {
      await standby.remove()
      await primary.remove()
    },
  }
  try {
    // After the copy, so that the standby waits for nobody once it is the primary.
    await administer(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`)
    await administer(primary.url, 'SELECT pg_reload_conf()')
    await becomesSynchronous(primary)
    return pair
  } catch (error) {
    await pair.remove()
    throw error
  }
}

async function becomesSynchronous({ url }: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: urlOfDatabase(url, 'postgres') })
  await client.connect()
  try {
    const giveUpAtMs = performance.now() + ATTACH_TIMEOUT_MS
    for (;;) {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'",
      )
      if (rowCount === 1) return
      if (performance.now() > giveUpAtMs) throw new Error('The standby does not attach itself.')
      await wait(20)
    }
  } finally {
    await client.end()
  }
}
