// Recall against the exact hybrid ranking (exact-ranking.ts): how many of the ten best a search finds without
// a threshold; and how many of those that reach the default threshold, up to a hundred, which is what callers
// ask for. Half of the queries resemble many memories, so that many scores are close to the last one found.
// The memories are real texts as far as these were embedded, then mixtures of them.
import { ordinarySentences } from '../../eval/data/long-texts.ts'
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { Bench, Row } from '../bench.ts'
import { memoryAt } from '../data/memories.ts'
import { openModel } from '../data/model.ts'
import { queryOf, type Sample } from '../data/sample.ts'
import { withCommas } from '../report/figure.ts'
import { CUT } from './direct-search.ts'
import { exactRankings } from './exact-ranking.ts'
import { openSearchable } from './searchable.ts'

const BEST = 10
const REACHING = 100
/** Up to this number of memories every result has to be right. */
const EXACT_UP_TO = 20_000
const SHARE_MIN = 0.995
/** Enough generated text to find statements that are not stored. */
const STATEMENT_CHARACTERS = 100_000

export const recall: Row = {
  key: 'recall',
  title: 'Recall@10 against the exact ranking',
  async measure(bench, title) {
    const { scale, sample } = bench
    const half = scale.queries / 2
    const queries = [...sample.queries.slice(0, half), ...(await statements(sample, half))]
    for (const size of scale.recallSizes) await measureAmong(bench, title, { size, queries })
  },
}

/** Statements from the generator of some of the stored texts, none of which is stored itself. */
async function statements({ texts }: Sample, count: number): Promise<SearchQuery[]> {
  const stored = new Set(texts.map(({ text }) => text))
  const said = new Set(ordinarySentences(STATEMENT_CHARACTERS, 19))
  await using embedder = await openModel(1)
  const queries: SearchQuery[] = []
  for (const text of [...said.difference(stored)].slice(0, count)) {
    const [part] = await embedder.embedQuery(text)
    if (part === undefined) throw new Error('A query has no vector.')
    queries.push(queryOf({ text, ...part }))
  }
  return queries
}

async function measureAmong(
  { sample, filled, record }: Bench,
  row: string,
  { size, queries }: { size: number; queries: readonly SearchQuery[] },
) {
  const memories = { size, memoryAt: (no: number) => memoryAt(sample, no, size, 'plain') }
  await using store = await openSearchable(await filled({ size }))
  const exact = exactRankings(memories, queries, REACHING)
  const best = { found: 0, wanted: 0 }
  const reaching = { found: 0, wanted: 0 }
  for (const [place, query] of queries.entries()) {
    const ranked = exact[place] ?? []
    const search = async (limit: number, threshold: number) => {
      const results = await store.search(query, {}, { cut: { limit, threshold } })
      return new Set(results.map(({ id }) => id))
    }
    count(best, ranked.slice(0, BEST), await search(BEST, 0))
    const { threshold } = CUT
    const reached = ranked.filter(({ score }) => score >= threshold)
    count(reaching, reached, await search(REACHING, threshold))
  }
  const real = sample.texts.length
  const note =
    size <= real
      ? 'vectors of the model'
      : `${withCommas(real)} vectors of the model, the others near them`
  const goal = { atLeast: size <= EXACT_UP_TO ? 1 : SHARE_MIN }
  const name = `${withCommas(size)} memories`
  const share = ({ found, wanted }: typeof best) => ({ unit: '' as const, value: found / wanted })
  record({ row, name, ...share(best), goal, note })
  const reachingName = `${name}, up to ${REACHING} from the default threshold on`
  record({ row, name: reachingName, ...share(reaching), goal, note })
}

function count(
  counts: { found: number; wanted: number },
  ranked: readonly { id: string }[],
  found: ReadonlySet<string>,
): void {
  counts.found += ranked.filter(({ id }) => found.has(id)).length
  counts.wanted += ranked.length
}
