// The cache of what was fetched, and how failed requests are tried again. Whichever query first finds the
// session ended tells the listeners of `onSignedOut`. The late answer of an act may be about the session before,
// so it only has the session asked for.
import {
  focusManager,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryFilters,
} from '@tanstack/react-query'
import { isApiError } from './client.ts'

// Updates are rendered before the next event, so that a second press, however soon, finds the button busy.
notifyManager.setScheduler(queueMicrotask)

// Coming back refetches, also from a window beside this one, while which the page was visible all the time:
// by itself the library listens for `visibilitychange` alone.
focusManager.setEventListener((comeBack) => {
  const again = () => comeBack()
  for (const event of ['visibilitychange', 'focus']) window.addEventListener(event, again)
  return () => {
    for (const event of ['visibilitychange', 'focus']) window.removeEventListener(event, again)
  }
})

const listeners = new Set<() => void>()
export const onSignedOut = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notice = (error: unknown) => {
  if (isApiError(error, 'NOT_SIGNED_IN')) for (const listener of listeners) listener()
}

/** The key of the query for the session. */
export const SESSION = ['session'] as const

const askAgain = (error: unknown) => {
  if (isApiError(error, 'NOT_SIGNED_IN')) void refetch({ queryKey: SESSION })
}

/** Asks even when the browser reports no network: the server may be this very computer. */
const WITHOUT_A_NETWORK = 'always'

const SLOW_MS = 3_000

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: askAgain }),
  defaultOptions: {
    queries: {
      networkMode: WITHOUT_A_NETWORK,
      staleTime: 5_000,
      // What the server refused it will refuse again. Only an answer that never came is worth another try,
      // and only when its failure was quick: nobody shall wait as long a second time.
      retry: (failures, error) =>
        failures < 2 && isApiError(error, 'OFFLINE', 'UNREADABLE') && error.afterMs < SLOW_MS,
      retryDelay: 600,
    },
    mutations: { networkMode: WITHOUT_A_NETWORK },
  },
})

/**
 * Refetches everything that the filters match, after a change. A query whose first answer is under way is
 * fetched once more when it has come, since that answer may be older than the change.
 */
export async function refetch(filters: QueryFilters): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const isFirst = underWay.some(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries(filters)
  if (isFirst) await queryClient.invalidateQueries(filters)
}
