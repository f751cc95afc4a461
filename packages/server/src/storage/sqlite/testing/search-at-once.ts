// A search in one go, for tests that are not about what happens between its steps.
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import type { Ranked } from '../../ranking/ranking.ts'
import type { MemoryFilter } from '../../store.ts'
import type { Answer, SearchIndex } from '../index/search-index.ts'

type Cut = { limit: number; threshold: number }

export function answerAtOnce(
  index: SearchIndex,
  query: SearchQuery,
  filter: MemoryFilter,
  cut: Cut,
): Answer {
  const steps = index.search(query, filter, cut)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export const searchAtOnce = (...asked: Parameters<typeof answerAtOnce>): Ranked[] =>
  answerAtOnce(...asked).ranked
