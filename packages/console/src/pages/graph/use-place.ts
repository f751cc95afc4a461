// Where one is in the graph: what is in the middle and how it is looked at stands in the address; what clicks
// opened beside it is kept with the page's place in the history. Both are there again after "back", and when a
// session ends meanwhile.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { GraphSearchParams } from './search-params.ts'
import type { Opened } from './use-graph.ts'

export function usePlace(key: string) {
  const search = useSearch({ from: '/shell/keys/$key/graph' })
  const { entity: middle, depth = 1 } = search
  const navigate = useNavigate()
  const { history } = useRouter()
  const [further, setFurther] = useState(history.location.state.further ?? [])
  const [selected, setSelected] = useState(search.selected ?? middle)
  const opened = useMemo(
    (): readonly Opened[] => (middle === undefined ? [] : [{ id: middle, depth }, ...further]),
    [middle, depth, further],
  )
  // "Back" changes the place from outside.
  const [followed, setFollowed] = useState(middle)
  if (middle !== followed) {
    setFollowed(middle)
    setFurther(history.location.state.further ?? [])
    setSelected(search.selected ?? middle)
  }

  /** Another entity in the middle is a place to come back to; how it is looked at is none. */
  const go = (next: GraphSearchParams, beside: readonly Opened[], isPlace = false) => {
    setFurther(beside)
    void navigate({
      to: '/keys/$key/graph',
      params: { key },
      search: next,
      state: { further: beside },
      replace: !isPlace,
      resetScroll: false,
    })
  }
  return {
    /** The whole graph is shown where nothing is. */
    middle,
    depth,
    view: search.view ?? ('picture' as const),
    opened,
    /** Beside the graph. */
    selected,
    look: (change: Pick<GraphSearchParams, 'depth' | 'view'>) =>
      go({ ...search, ...change }, further),
    /** Into the middle. */
    focus(id: string | undefined) {
      const { view, depth } = search
      setSelected(id)
      go(id === undefined ? { view } : { view, depth, entity: id }, [], id !== middle)
    },
    /** In a neighbourhood a click opens what lies round the entity; in the whole graph nothing is left to open. */
    select(id: string | undefined) {
      setSelected(id)
      const isOpen = id === undefined || middle === undefined || opened.some((one) => one.id === id)
      const beside = isOpen ? further : [...further, { id, depth: 1 }]
      go({ ...search, selected: id === middle ? undefined : id }, beside)
    },
    /** It is gone. */
    leave(id: string) {
      setSelected(undefined)
      const others = further.filter((each) => each.id !== id)
      // There is no way back to it.
      if (id === middle) go({ view: search.view }, [])
      else go({ ...search, selected: undefined }, others)
    },
  }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    further?: readonly Opened[]
  }
}
