// What is fetched is kept for the visit. A session that ended is noticed by whichever request comes
// first, and then everything that was fetched is forgotten.
import {
  focusManager,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryFilters,
} from '@tanstack/react-query'
import { isApiError } from './client.ts'

// Before the next event: a second press finds the button busy with the first, however soon it comes.
notifyManager.setScheduler(queueMicrotask)

// Whoever comes back asks again, also from a window that stood beside this one: such a page was visible all
// the time.
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
  return () => listeners.delete(listener)
}

const notice = (error: unknown) => {
  if (isApiError(error, 'NOT_SIGNED_IN')) for (const listener of listeners) listener()
}

/** The server may be this very computer: whether it answers is seen by asking it. */
const WITHOUT_A_NETWORK = 'always'

const SLOW_MS = 3_000

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      networkMode: WITHOUT_A_NETWORK,
      staleTime: 5_000,
      // What the server refused will be refused again; only an absent answer is worth another try, and
      // not where that would be waited for as long again.
      retry: (failures, error) =>
        failures < 2 && isApiError(error, 'OFFLINE', 'UNREADABLE') && error.afterMs < SLOW_MS,
      retryDelay: 600,
    },
    mutations: { networkMode: WITHOUT_A_NETWORK },
  },
})

/**
 * Has everything that the filters fit asked for anew, after a change. What is asked for the first time just now is
 * asked for once more when its answer is there, which may be older than the change.
 */
export async function refetch(filters: QueryFilters): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const isFirst = underWay.some(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries(filters)
  if (isFirst) await queryClient.invalidateQueries(filters)
}
