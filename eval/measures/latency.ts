// What a search costs beyond the embedding of its query: each new query is embedded in this process and right
// after that searched over HTTP, so that both meet the same load.
import type { Baselines } from '../baselines/open-baselines.ts'
import { ordinarySentences } from '../data/long-texts.ts'
import type { ServiceRetriever } from '../service-retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { median } from '../statistics/metrics.ts'

const MEMORIES = 10_000
const QUERIES = 300
const WARM_UP = 20

type LatencyFigures = {
  memories: number
  queries: number
  /** Medians in milliseconds. */
  searchMs: Estimate
  embeddingMs: Estimate
  addedMs: Estimate
}

/** The service's space may hold memories of earlier measurements as well. */
export async function measureLatency(
  service: ServiceRetriever,
  { embedQuery }: Pick<Baselines, 'embedQuery'>,
): Promise<LatencyFigures> {
  const sentences = ordinarySentences((MEMORIES + QUERIES) * 55, 7)
  const texts = Array.from({ length: MEMORIES + QUERIES }, (_, index) => ({
    id: `latency-${index}`,
    content: `${sentences[index % sentences.length]} (${index})`,
  }))
  await service.add('latency', texts.slice(0, MEMORIES))
  const timed: { searchMs: number; embeddingMs: number }[] = []
  for (const { content } of texts.slice(MEMORIES)) {
    const start = performance.now()
    await embedQuery(content)
    const embeddingMs = performance.now() - start
    await service.search('latency', content, { limit: 10 })
    timed.push({ embeddingMs, searchMs: service.searchMs.at(-1) ?? Number.NaN })
  }
  const warm = timed.slice(WARM_UP)
  return {
    memories: MEMORIES,
    queries: warm.length,
    searchMs: bootstrap(warm, (some) => median(some.map(({ searchMs }) => searchMs))),
    embeddingMs: bootstrap(warm, (some) => median(some.map(({ embeddingMs }) => embeddingMs))),
    addedMs: bootstrap(warm, (some) =>
      median(some.map(({ searchMs, embeddingMs }) => searchMs - embeddingMs)),
    ),
  }
}
