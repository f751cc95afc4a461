// What a second instance brings: creates a second over HTTP with the real model. Each instance is held to one
// core and one embedding worker, as if on a machine of its own; the database shares the two cores.
import { inFlight, MeasuringClient } from '../../eval/client.ts'
import { ordinarySentences } from '../../eval/data/long-texts.ts'
import { type LocalService, startLocalService } from '../../eval/local-service.ts'
import { decimals, printLine, printTitle } from '../../eval/report.ts'
import { newEmptyDatabase } from '../../packages/server/src/testing/postgres.ts'

const CREATED = 400
const IN_FLIGHT = 16

export async function measureTwoInstances(serverUrl: string): Promise<void> {
  printTitle(`Creates over HTTP with the real model, ${IN_FLIGHT} in flight an instance`)
  const database = await newEmptyDatabase(serverUrl)
  const settings = { DATABASE_URL: database.url, MNEMOGRAPH_EMBEDDING_WORKERS: '1' }
  const first = await startLocalService({ settings, core: 0 })
  const second = await startLocalService({ settings, core: 1 })
  try {
    const one = await perSecond([first])
    const two = await perSecond([first, second])
    printLine('one instance', `${decimals(one, 0)} a second`)
    printLine('two instances', `${decimals(two, 0)} a second  ${decimals(two / one, 2)} x`)
  } finally {
    await first.stop()
    await second.stop()
    await database.drop()
  }
}

async function perSecond(instances: readonly LocalService[]): Promise<number> {
  const texts = ordinarySentences(CREATED * 80, 17).slice(0, CREATED)
  const start = performance.now()
  await Promise.all(
    instances.map(async (instance) => {
      const client = new MeasuringClient(instance)
      await inFlight(texts, IN_FLIGHT, (text) => client.create('bench', text))
    }),
  )
  return (instances.length * texts.length) / ((performance.now() - start) / 1000)
}
