// A search in one go, for tests that are not about what happens between its steps.
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import type { Ranked } from '../../ranking/ranking.ts'
import type { MemoryFilter } from '../../store.ts'
import type { Answer, Rows, Steps } from '../index/search/rows-ranking.ts'
import type { SearchIndex } from '../index/search-index.ts'
import type { IndexedPiece } from '../index/tables/indexed.ts'

/** What the index asks of the database, from memories that are at hand. */
export const rowsOf = (piecesOf: (no: number) => readonly IndexedPiece[]): Rows => ({
  piecesOf,
  termsOf: (no) => piecesOf(no).map(({ terms }) => terms),
  idOf: String,
})

type Cut = Parameters<SearchIndex['search']>[2]

/** Finds the answer as it is, with whatever is gone by then. */
export const answerInSteps = (
  index: SearchIndex,
  query: SearchQuery,
  filter: MemoryFilter,
  cut: Cut,
): Steps<Answer> =>
  index.search(query, filter, cut, function* (answer) {
    yield
    return { results: answer, gone: [] }
  })

export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export const answerAtOnce = (...asked: Parameters<typeof answerInSteps>): Answer =>
  inOneGo(answerInSteps(...asked))

export const searchAtOnce = (...asked: Parameters<typeof answerInSteps>): readonly Ranked[] =>
  answerAtOnce(...asked).ranked
