/**
 * PostgreSQL crashes and starts again, again and again, under two instances and their callers. The
 * instances are never restarted.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Caller } from '../crash/caller.ts'
import { Random } from '../crash/random.ts'
import { newDatabaseUrl, startCluster } from './clusters.ts'
import { prepareInstances } from './instances.ts'
import { Ledger, verify } from './ledger.ts'
import { startLoad } from './load.ts'
import { type Report, reportOf } from './report.ts'

const WRITES_BETWEEN_CRASHES = 100
const CRASH_WITHIN_MS = 300

export async function restarts({
  times,
  seed,
  onProgress = () => undefined,
}: {
  times: number
  seed: number
  onProgress?: (line: string) => void
}): Promise<Report> {
  const random = new Random(seed)
  const ledger = new Ledger()
  const cluster = await startCluster()
  const instances = await prepareInstances()
  try {
    const url = await newDatabaseUrl(cluster)
    const servers = [await instances.start(url), await instances.start(url)]
    const key = await instances.newKey(url)
    const callers: Caller[] = servers.map((server) => ({ url: server.url, key }))
    const load = startLoad(callers, ledger, { seed })
    try {
      for (let time = 1; time <= times; time += 1) {
        await load.acknowledges(WRITES_BETWEEN_CRASHES)
        await wait(random.below(CRASH_WITHIN_MS))
        await cluster.stop('immediate')
        await cluster.start()
        onProgress(`restart ${time}: ${ledger.acknowledged} acknowledged`)
      }
      await load.acknowledges(WRITES_BETWEEN_CRASHES)
    } finally {
      await load.stop()
    }
    const seen = await Promise.all(callers.map((caller) => verify(caller, ledger)))
    return reportOf(ledger, seen)
  } finally {
    await instances.stop()
    await cluster.remove()
  }
}
