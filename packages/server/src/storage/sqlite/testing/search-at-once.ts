// A search in one go, for tests that are not about what happens between its steps.
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import type { Ranked } from '../../ranking/ranking.ts'
import type { MemoryFilter } from '../../store.ts'
import type { IndexedPiece } from '../index/indexed.ts'
import type { Answer, Rows, SearchIndex } from '../index/search-index.ts'

/** What the index asks of the database, from memories that are at hand. */
export const rowsOf = (piecesOf: (no: number) => readonly IndexedPiece[]): Rows => ({
  piecesOf,
  termsOf: (no) => piecesOf(no).map(({ terms }) => terms),
  idOf: String,
})

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
