/**
 * The primary dies under load for good. Its synchronous standby is promoted, and a new instance
 * serves what was acknowledged.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../crash/random.ts'
import { newDatabaseUrl, startPair } from './clusters.ts'
import { prepareInstances } from './instances.ts'
import { Ledger, verify } from './ledger.ts'
import { startLoad } from './load.ts'
import { type Report, reportOf } from './report.ts'

const DIES_WITHIN_MS = 1_500

export async function promotion(seed: number): Promise<Report> {
  const ledger = new Ledger()
  const pair = await startPair()
  const instances = await prepareInstances()
  try {
    const url = await newDatabaseUrl(pair.primary)
    const before = await instances.start(url)
    const key = await instances.newKey(url)
    const load = startLoad([{ url: before.url, key }], ledger, { seed })
    try {
      await load.acknowledges(50)
      await wait(new Random(seed).below(DIES_WITHIN_MS))
      await pair.primary.stop('immediate')
    } finally {
      await load.stop()
    }
    await pair.promote()
    const promoted = new URL(url)
    promoted.port = String(pair.standby.port)
    const after = await instances.start(promoted.href)
    const caller = { url: after.url, key }
    const seen = await verify(caller, ledger)
    const report = reportOf(ledger, [seen])
    // And it takes writes.
    const more = startLoad([caller], ledger, { seed: seed + 1_000 })
    try {
      await more.acknowledges(10)
    } finally {
      await more.stop()
    }
    return report
  } finally {
    await instances.stop()
    await pair.remove()
  }
}
