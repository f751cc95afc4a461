// `npm run bench`: how fast the service is on this machine, over HTTP with the real model, beside
// floors from the same run. Bounded to about three minutes: a slow machine ingests less, and the
// output says how much. `-- --store postgres` measures the shared store: shared-store/measure.ts.
import { parseArgs } from 'node:util'
import { inFlight, MeasuringClient } from '../eval/client.ts'
import { type LocalService, startLocalService } from '../eval/local-service.ts'
import { ordinarySentences } from '../eval/long-texts.ts'
import { percentile } from '../eval/metrics.ts'
import { decimals, latencies, printLine, printTitle } from '../eval/report.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { measureEmbedding } from './embedding-speed.ts'
import { embeddingAlone } from './floors.ts'
import { residentMegabytes } from './memory.ts'
import { measureSearchAlone } from './search-speed.ts'
import { measureSharedStore } from './shared-store/measure.ts'
import { measureStart } from './start-time.ts'

const REQUESTS = 200
const WIDTHS = [1, 8, 64] as const
const INGESTED_PER_WIDTH = 400
const SPACE_SIZES = [100, 1_000, 10_000] as const
const INGEST_BUDGET_MS = 120_000
const BATCH = 100
const USERS = 20

const sentences = ordinarySentences(700_000, 7)
let used = 0
/** Short memories, no two of them alike. */
const freshTexts = (count: number): string[] =>
  Array.from({ length: count }, () => `${sentences[used % sentences.length]} (${used++})`)

const p50 = (values: readonly number[]): number => percentile(values, 0.5)
const times = (values: readonly { tookMs: number }[]): number[] =>
  values.map(({ tookMs }) => tookMs)
const userOf = (index: number): string => `user-${index % USERS}`
const tagOf = (index: number): string => `tag-${index % 10}`

async function measureOperations(client: MeasuringClient): Promise<void> {
  printTitle('One request at a time')
  const livez = times(await inFlight(freshTexts(REQUESTS), 1, () => client.get('/livez')))
  const embedding = await embeddingAlone(freshTexts(REQUESTS))
  const created = await inFlight(freshTexts(REQUESTS), 1, (text) => client.create('latency', text))
  const searches = await inFlight(freshTexts(REQUESTS), 1, (query) => client.search(query))
  const [again = ''] = freshTexts(1)
  await client.search(again)
  const repeated = await inFlight(freshTexts(REQUESTS), 1, () => client.search(again))
  const gets = await inFlight(created, 1, ({ result }) => client.get(`/v1/memories/${result}`))
  const lists = await inFlight(created, 1, () => client.get('/v1/memories?limit=20'))
  const line = (name: string, tookMs: number[], floor?: number[]): void => {
    const ratio =
      floor === undefined ? '' : `  ${decimals(p50(tookMs) / p50(floor), 1)} x its floor`
    printLine(name, latencies(tookMs) + ratio)
  }
  line('floor: GET /livez', livez)
  line('floor: the model alone', embedding)
  line('create', times(created), embedding)
  line('search', times(searches), embedding)
  line('search, a query asked before', times(repeated), livez)
  line('get', times(gets), livez)
  line('list', times(lists), livez)
}

async function measureIngest(client: MeasuringClient): Promise<void> {
  printTitle('Ingest, memories a second')
  for (const width of WIDTHS) {
    const start = performance.now()
    await inFlight(freshTexts(INGESTED_PER_WIDTH), width, (text) => client.create('ingest', text))
    const perSecond = INGESTED_PER_WIDTH / ((performance.now() - start) / 1000)
    printLine(`${width} in flight`, decimals(perSecond, 0))
  }
}

async function measureSizes(service: LocalService): Promise<void> {
  const client = new MeasuringClient({ url: service.url, key: service.newKey() })
  printTitle('Searches in one space, one at a time')
  const deadline = performance.now() + INGEST_BUDGET_MS
  let size = 0
  for (const goal of SPACE_SIZES) {
    while (size < goal && performance.now() < deadline) {
      await inFlight(freshTexts(BATCH), 16, (text, index) =>
        client.create(userOf(size + index), text, [tagOf(size + index)]),
      )
      size += BATCH
    }
    // Fresh ones each time: a query that was asked before is not embedded again.
    const search = async (options: object): Promise<number[]> =>
      times(await inFlight(freshTexts(REQUESTS / 2), 1, (query) => client.search(query, options)))
    printLine(`${size} memories, no filter`, latencies(await search({})))
    printLine(
      `${size} memories, a user with ${Math.round(size / USERS)}`,
      latencies(await search({ userId: userOf(0) })),
    )
    printLine(
      `${size} memories, a tag with ${Math.round(size / 10)}`,
      latencies(await search({ tags: [tagOf(0)] })),
    )
    await measureSearchAlone(service.dataDirectory)
  }
  printLine(
    `resident memory with ${size} memories`,
    `${decimals(residentMegabytes(service.pid), 0)} MB`,
  )
}

async function measureEmbeddedStore(): Promise<void> {
  printLine('npm start to "listening"', `${decimals(await measureStart(), 0)} ms`)
  await measureEmbedding(readConfig({}).embedding.workers)
  const service = await startLocalService()
  try {
    printLine('resident memory, empty', `${decimals(residentMegabytes(service.pid), 0)} MB`)
    const client = new MeasuringClient(service)
    await measureOperations(client)
    await measureIngest(client)
    await measureSizes(service)
  } finally {
    await service.stop()
  }
}

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    memories: { type: 'string', default: '100000' },
    spaces: { type: 'string', default: '10000' },
  },
})
if (values.store === 'postgres') {
  await measureSharedStore({ large: Number(values.memories), spaces: Number(values.spaces) })
} else {
  await measureEmbeddedStore()
}
