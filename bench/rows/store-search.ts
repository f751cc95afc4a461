// A search without the embedding of its query, through the store's interface and by the searcher's code
// alone, which shows what the threads cost. The floor is reading one bit an axis of all vectors once; where
// that is quick enough, a plain scan of 32-bit floats is measured as well.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { Bench, Row } from '../bench.ts'
import { FILTERS } from '../data/memories.ts'
import { DIMENSION } from '../data/sample.ts'
import { memoryBandwidth } from '../floors/memory-bandwidth.ts'
import { withCommas } from '../report/figure.ts'
import { inRounds, type Timing } from '../timing/rounds.ts'
import { openDirect } from './direct-search.ts'
import { plainScanOf } from './plain-scan.ts'
import { openSearchable } from './searchable.ts'

const GOALS_MS: Readonly<Record<number, number>> = { 10000: 0.6, 100000: 1.2, 1000000: 6 }
const P99_TIMES = 3
const FILTER_TIMES_MAX = 1.5
/** One bit an axis. */
const SIGN_BYTES = DIMENSION / 8
const PLAIN_SCAN_MAX = 10_000

export const storeSearch: Row = {
  key: 'store-search',
  title: 'Search in one space, without the embedding of the query',
  async measure(bench, title) {
    const bandwidth = memoryBandwidth()
    bench.record({
      row: title,
      name: 'floor: reading memory',
      value: bandwidth / 1e9,
      unit: 'GB/s',
    })
    for (const size of bench.scale.sizes) await measureSize(bench, title, size, bandwidth)
  },
}

async function measureSize(
  bench: Bench,
  row: string,
  size: number,
  bandwidth: number,
): Promise<void> {
  const { scale, sample } = bench
  const queries = sample.queries.slice(0, scale.queries)
  const folder = await bench.filled({ size })
  await using store = await openSearchable(folder)
  using direct = openDirect(folder)
  const filtered = Object.entries(FILTERS).map(([name, filter]) => [
    name,
    (query: SearchQuery) => store.search(query, filter),
  ])
  const found = await inRounds<SearchQuery, string>(
    queries,
    {
      ...Object.fromEntries(filtered),
      direct: (query: SearchQuery) => direct.search(query, {}),
      ...(size <= PLAIN_SCAN_MAX ? { scan: plainScanOf(sample, size) } : {}),
    },
    scale.rounds,
  )
  const memories = `${withCommas(size)} memories`
  const whole = found['no filter'] ?? { p50: Number.NaN, p99: Number.NaN }
  for (const name of Object.keys(FILTERS)) {
    const isWhole = name === 'no filter'
    bench.record({
      row,
      name: `${memories}, ${name}`,
      unit: 'ms',
      ...figuresOf(found[name]),
      point: { who: 'Mnemograph', filter: name, memories: size },
      ...(isWhole ? { goal: goalAt(size), floor: floorAt(size, bandwidth) } : {}),
    })
    if (isWhole) continue
    const times = (found[name]?.p50 ?? Number.NaN) / whole.p50
    const goal = { atMost: FILTER_TIMES_MAX }
    const ratio = `${memories}, ${name}, to no filter`
    bench.record({ row, name: ratio, value: times, unit: 'x', goal })
  }
  const firstMs = found['no filter']?.firstMs
  bench.record({
    row,
    name: `${memories}, the first one after a pause`,
    unit: 'ms',
    value: firstMs,
  })
  const inThread = `${memories}, in the searcher's thread`
  bench.record({ row, name: inThread, unit: 'ms', ...figuresOf(found['direct']) })
  if (found['scan'] !== undefined) {
    const name = `${memories}, a plain scan of floats`
    bench.record({ row, name, unit: 'ms', ...figuresOf(found['scan']) })
  }
}

const figuresOf = (timing: Timing | undefined) => ({
  value: timing?.p50,
  p99: timing?.p99,
  cpuMs: timing?.cpuMs,
})

const goalAt = (size: number) => {
  const atMost = GOALS_MS[size]
  return atMost === undefined ? undefined : { atMost, p99Times: P99_TIMES }
}

const floorAt = (vectors: number, bandwidth: number) => ({
  name: 'one bit an axis read once',
  value: ((vectors * SIGN_BYTES) / bandwidth) * 1_000,
})
