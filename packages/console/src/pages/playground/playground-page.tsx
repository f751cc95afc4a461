// Tries a search. The server answers with the results under the threshold too and the page draws the line, so
// that dragging it sends no request. The question is kept in the state of the history entry, not in the
// address, which ends up in logs.
import './playground.css'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Playground, PlaygroundSearch } from '../../api/contract.ts'
import { searchMemories } from '../../api/memories.ts'
import { fieldError } from '../../components/field.tsx'
import { count } from '../../components/number.ts'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { Page } from '../../layout/page.tsx'
import { filterErrors } from '../memories/memory-filter.tsx'
import { ResultItem } from './result-item.tsx'
import { ScoreScale } from './score-scale.tsx'
import { SearchForm } from './search-form.tsx'

export function PlaygroundPage() {
  const { key } = useParams({ from: '/shell/keys/$key/playground' })
  const navigate = useNavigate()
  const { asked, visit, setAsked } = useAsked()
  const answer = useQuery({
    queryKey: ['key', key, 'playground', asked],
    queryFn: asked ? ({ signal }) => searchMemories(key, asked, signal) : skipToken,
    staleTime: 0,
  })
  const ask = (search: PlaygroundSearch) => {
    if (!isSame(search, asked)) {
      setAsked(search)
      void navigate({
        to: '/keys/$key/playground',
        params: { key },
        state: { asked: search },
        replace: true,
      })
    } else if (!answer.isFetching) void answer.refetch()
  }
  const questionError = fieldError(answer.error, 'query')
  const refused = filterErrors(answer.error)
  return (
    <Page
      title="Playground"
      lead="What a search finds, how sure it is, and why. Drag the line to see what a threshold keeps."
    >
      <SearchForm
        key={visit}
        asked={asked}
        error={questionError}
        filterErrors={refused}
        onSearch={ask}
        isBusy={answer.isFetching}
      />
      {/* There before the answer: what comes with its text in it is not read out. */}
      <p className="visually-hidden" role="status">
        {answer.data && `${count(answer.data.results.length, 'result')} found`}
      </p>
      {answer.error && !questionError && !refused && (
        <Problem error={answer.error} retry={answer.refetch} />
      )}
      {asked === undefined ? (
        <div className="card">
          <Empty icon="search" title="Ask something">
            <p>
              The nearest memories appear on a scale from 0 to 1, those under the threshold too. It
              draws on no quota.
            </p>
          </Empty>
        </div>
      ) : answer.data ? (
        <Answer key={asked.query} answer={answer.data} />
      ) : answer.error ? null : (
        <div className="card">
          <Loading what="the results" />
        </div>
      )}
    </Page>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    asked?: PlaygroundSearch
  }
}

const isSame = (one: PlaygroundSearch | undefined, other: PlaygroundSearch | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** "Back" and the link to this page lead to another question or to none, which counts as another visit. */
function useAsked() {
  const router = useRouter()
  const [{ asked, visit }, set] = useState({
    asked: router.history.location.state.asked,
    visit: 0,
  })
  useEffect(
    () =>
      router.subscribe('onResolved', ({ toLocation: { state } }) =>
        set((here) =>
          isSame(state.asked, here.asked) ? here : { asked: state.asked, visit: here.visit + 1 },
        ),
      ),
    [router],
  )
  const setAsked = (next: PlaygroundSearch) => set((here) => ({ ...here, asked: next }))
  return { asked, visit, setAsked }
}

function Answer({ answer: { results, defaultThreshold } }: { answer: Playground }) {
  const [threshold, setThreshold] = useState(defaultThreshold)
  if (results.length === 0) {
    return (
      <div className="card">
        <Empty icon="memory" title="There is nothing to search">
          <p>No memory passes the filter, or none is stored yet.</p>
        </Empty>
      </div>
    )
  }
  return (
    <section className="stack" aria-labelledby="results">
      <h2 id="results" className="visually-hidden">
        Results
      </h2>
      <ScoreScale
        results={results}
        threshold={threshold}
        defaultThreshold={defaultThreshold}
        onThreshold={setThreshold}
      />
      <ol className="results">
        {results.map((result) => (
          <ResultItem key={result.id} result={result} isKept={result.score >= threshold} />
        ))}
      </ol>
    </section>
  )
}
