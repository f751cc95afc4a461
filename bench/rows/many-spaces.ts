// Ten thousand tenants: a search in one of many small spaces beside the same search in a store with one
// space. The spaces are visited in a random order, so that no cache helps. A space's first search, which
// loads its index, is measured separately.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { Row } from '../bench.ts'
import { hashOf } from '../data/random.ts'
import { withCommas } from '../report/figure.ts'
import { inRounds, latencyOf } from '../timing/rounds.ts'
import { openSearchable } from './searchable.ts'

const MEMORIES = 100
const VISITED_MAX = 1_000
const GOAL_MS = 0.5
const GOAL_TIMES = 1.2
/** The number of spaces that the goals speak of. */
const MANY = 10_000

type Visit = { query: SearchQuery; place: number }

export const manySpaces: Row = {
  key: 'many-spaces',
  title: 'Search in one of many spaces of 100 memories',
  async measure({ scale, sample, filled, record }, row) {
    const { spaces } = scale
    await using many = await openSearchable(await filled({ size: MEMORIES, spaces }))
    await using lone = await openSearchable(await filled({ size: MEMORIES }))
    const visits = Array.from({ length: Math.min(spaces, VISITED_MAX) }, (_, number): Visit => {
      const query = sample.queries[number % sample.queries.length]
      if (query === undefined) throw new Error('There are no queries.')
      return { query, place: hashOf(number, 9) % spaces }
    })
    const firstMs: number[] = []
    for (const { query, place } of visits) {
      const startMs = performance.now()
      await many.search(query, {}, { place })
      firstMs.push(performance.now() - startMs)
    }
    const { among, alone } = await inRounds(
      visits,
      {
        among: ({ query, place }) => many.search(query, {}, { place }),
        alone: ({ query }) => lone.search(query, {}),
      },
      scale.rounds,
    )
    const isJudged = spaces >= MANY
    const of = `one of ${withCommas(spaces)} spaces`
    const first = latencyOf(firstMs)
    record({
      row,
      name: 'a lone space',
      unit: 'ms',
      value: alone.p50,
      p99: alone.p99,
      cpuMs: alone.cpuMs,
    })
    record({
      row,
      name: of,
      unit: 'ms',
      value: among.p50,
      p99: among.p99,
      cpuMs: among.cpuMs,
      goal: isJudged ? { atMost: GOAL_MS } : undefined,
    })
    const times = among.p50 / alone.p50
    const goal = isJudged ? { atMost: GOAL_TIMES } : undefined
    record({ row, name: `${of}, to a lone space`, unit: 'x', value: times, goal })
    const name = `${of}, its first search`
    record({ row, name, unit: 'ms', value: first.p50, p99: first.p99 })
  },
}
