// Store search when memories are longer than a sentence: each sentence has a vector beside that of the whole
// text, 2.7 vectors a memory. It has no goal; it shows what it costs to find a fact in a longer text.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { Row } from '../bench.ts'
import { FILTERS } from '../data/memories.ts'
import { withCommas } from '../report/figure.ts'
import { inRounds } from '../timing/rounds.ts'
import { openSearchable } from './searchable.ts'

export const severalSentences: Row = {
  key: 'several-sentences',
  title: 'The same with memories of several sentences (2.7 vectors each)',
  async measure({ scale, sample, filled, record }, row) {
    const queries = sample.queries.slice(0, scale.queries)
    for (const size of scale.severalSizes) {
      await using store = await openSearchable(await filled({ size, kind: 'sentences' }))
      const contenders = Object.entries(FILTERS).map(([name, filter]) => [
        name,
        (query: SearchQuery) => store.search(query, filter),
      ])
      const found = await inRounds<SearchQuery, string>(
        queries,
        Object.fromEntries(contenders),
        scale.rounds,
      )
      for (const [filter, { p50, p99, cpuMs }] of Object.entries(found)) {
        const name = `${withCommas(size)} memories, ${filter}`
        record({ row, name, unit: 'ms', value: p50, p99, cpuMs })
      }
    }
  },
}
