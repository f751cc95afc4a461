// The reader's place in the graph. The entity in the middle and what is shown are in the address; the
// neighbourhoods that clicks opened besides are in the state of the history entry. Both are there again after
// "back", and after signing in again when the session has ended.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { GraphSearchParams } from './search-params.ts'
import type { Opened } from './use-graph.ts'

/** What the address says of the entity in the panel. */
const toldOf = (selected: string | undefined, middle: string | undefined) =>
  selected === middle ? undefined : selected

export function usePlace(key: string) {
  const search = useSearch({ from: '/shell/keys/$key/graph' })
  const { entity: middle, depth = 1, view, amount, hidden } = search
  const navigate = useNavigate()
  const { history } = useRouter()
  const [further, setFurther] = useState(history.location.state.further ?? [])
  const [selected, setSelected] = useState(search.selected ?? middle)
  const opened = useMemo(
    (): readonly Opened[] => (middle === undefined ? [] : [{ id: middle, depth }, ...further]),
    [middle, depth, further],
  )
  // "Back" and the link to this page change the address without going through `go`.
  const [followed, setFollowed] = useState(search)
  if (middle !== followed.entity) {
    setFollowed(search)
    setFurther(history.location.state.further ?? [])
    setSelected(search.selected ?? middle)
  } else if (search.selected !== followed.selected) {
    setFollowed(search)
    // Else `select` did it: the address tells a closed panel and that of the middle alike.
    if (search.selected !== toldOf(selected, middle)) setSelected(search.selected ?? middle)
  }

  /**
   * Changes the address as it is by then, which is not that of this rendering when a deletion took its time.
   * Another entity in the middle is a new entry of the history (`isPlace`); another view is not.
   */
  const go = (change: GraphSearchParams, beside: readonly Opened[], { isPlace = false } = {}) => {
    setFurther(beside)
    void navigate({
      from: '/keys/$key/graph',
      to: '/keys/$key/graph',
      params: { key },
      search: (now) => ({ ...now, ...change }),
      state: { further: beside },
      replace: !isPlace,
      resetScroll: false,
    })
  }
  return {
    /** Undefined when the whole graph is shown. */
    middle,
    depth,
    view: view ?? ('picture' as const),
    amount,
    hidden: useMemo(() => new Set(hidden?.split(',')), [hidden]),
    opened,
    /** The entity open in the panel. */
    selected,
    look: (change: Pick<GraphSearchParams, 'depth' | 'view' | 'amount' | 'hidden'>) =>
      go(change, further),
    /** Puts an entity into the middle, or shows the whole graph. */
    focus(id: string | undefined) {
      setSelected(id)
      const toWhole = id === undefined && { depth: undefined }
      go({ entity: id, selected: undefined, ...toWhole }, [], { isPlace: id !== middle })
    },
    /** Opens an entity in the panel and, in a neighbourhood, adds what lies around it to the graph. */
    select(id: string | undefined) {
      setSelected(id)
      const isOpen = id === undefined || middle === undefined || opened.some((one) => one.id === id)
      const beside = isOpen ? further : [...further, { id, depth: 1 }]
      go({ selected: toldOf(id, middle) }, beside)
    },
    /** Leaves an entity that was deleted. */
    leave(id: string) {
      setSelected(undefined)
      const others = further.filter((each) => each.id !== id)
      // Asked of the address: it may have come into the middle while it was being deleted.
      const isMiddle = new URLSearchParams(history.location.search).get('entity') === id
      // Without a new entry of the history: "back" must not lead to what is gone.
      if (isMiddle) go({ entity: undefined, depth: undefined, selected: undefined }, [])
      else go({ selected: undefined }, others)
    },
  }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    further?: readonly Opened[]
  }
}
