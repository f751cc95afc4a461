// Fetches what the page shows of the graph: the whole, or the neighbourhoods opened so far, and the path.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { neighbourhoodQuery, wholeGraphQuery } from '../../api/graph.ts'
import { type GraphData, merged, NOTHING } from './graph-data.ts'
import { type Ends, usePath } from './panels/path-finder.tsx'

export type Opened = { id: string; depth: number }

export function useGraph(keyId: string, opened: readonly Opened[], ends: Ends) {
  const whole = useQuery({
    ...wholeGraphQuery(keyId),
    enabled: opened.length === 0,
    placeholderData: keepPreviousData,
  })
  const parts = useQueries({
    queries: opened.map(({ id, depth }) => neighbourhoodQuery(keyId, id, depth)),
    combine: (results) => ({
      graphs: results.flatMap(({ data }) => (data ? [data] : [])),
      error: results.find(({ error }) => error)?.error ?? null,
      isPending: results.some(({ isPending }) => isPending),
      refetch: () => Promise.all(results.map((result) => result.refetch())),
    }),
  })
  const found = usePath(keyId, ends)
  // When an end was deleted the query fails and keeps its last answer, which is no path any more.
  const path = found.error ? undefined : (found.data?.path ?? undefined)
  const isWhole = opened.length === 0
  const answered = useMemo((): GraphData => {
    const base = isWhole ? (whole.data ? [whole.data] : []) : parts.graphs
    if (base.length === 0 && !path) return NOTHING
    return merged([...base, ...(path ? [{ ...path, isComplete: true }] : [])])
  }, [isWhole, whole.data, parts.graphs, path])
  const isPending = isWhole ? whole.isPending : parts.isPending
  // The last graph stays until all of the next one is there, so that what is in both keeps its place.
  const last = useRef(answered)
  if (!isPending) last.current = answered
  return {
    data: last.current,
    total: whole.data?.total,
    path: useMemo(() => path?.nodes.map(({ id }) => id) ?? [], [path]),
    error: isWhole ? whole.error : parts.error,
    isPending,
    refetch: isWhole ? whole.refetch : parts.refetch,
  }
}
