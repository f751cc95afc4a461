// Recall@10 against the exact hybrid ranking: of the ten best by scoring every memory from its exact
// vectors and all its terms, how many a search finds. Without a threshold, so that each of the ten has
// to be found. Among real texts as far as they were embedded, beyond that among texts made of them.
import type { Bench, Row } from '../bench.ts'
import { memoryAt } from '../data/memories.ts'
import { withCommas } from '../report/figure.ts'
import { exactRankings } from './exact-ranking.ts'
import { openSearchable } from './searchable.ts'

const FOUND = 10
/** Up to here every result has to be right. */
const EXACT_UP_TO = 20_000

export const recall: Row = {
  key: 'recall',
  title: 'Recall@10 against the exact ranking',
  async measure(bench, title) {
    for (const size of bench.scale.recallSizes) await measureAmong(bench, title, size)
  },
}

async function measureAmong({ scale, sample, filled, record }: Bench, row: string, size: number) {
  const queries = sample.queries.slice(0, scale.queries)
  const memories = { size, memoryAt: (no: number) => memoryAt(sample, no, size, 'plain') }
  const store = await openSearchable(await filled({ size }))
  try {
    const exact = exactRankings(memories, queries, FOUND)
    let found = 0
    let wanted = 0
    for (const [place, query] of queries.entries()) {
      const cut = { limit: FOUND, threshold: 0 }
      const ids = new Set((await store.search(query, {}, { cut })).map(({ id }) => id))
      const best = exact[place] ?? []
      found += best.filter((id) => ids.has(id)).length
      wanted += best.length
    }
    const real = sample.texts.length
    record({
      row,
      name: `${withCommas(size)} memories`,
      unit: '',
      value: found / wanted,
      goal: { atLeast: size <= EXACT_UP_TO ? 1 : 0.995 },
      note:
        size <= real ? 'real vectors' : `${withCommas(real)} real vectors, the others near them`,
    })
  } finally {
    await store.close()
  }
}
