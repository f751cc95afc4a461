// The panel stands beside the graph or, without the room for it, below all of it, and the path above it.
// Whoever opens an entity or a path is taken there with eyes and keyboard, and back to where they were when
// they close it.
import { useEffect, useRef } from 'react'

/** Another `opened` is another one; `isShown`: there is a graph, and the panel beside it. */
export function usePanelFocus(opened: string | number | undefined, isShown: boolean) {
  const panel = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement>(null)
  // An entity that the address names is not opened by anybody: the page begins at its top.
  const before = useRef(opened)
  useEffect(() => {
    if (before.current === opened || (opened !== undefined && !isShown)) return
    before.current = opened
    if (!panel.current) return
    const active = document.activeElement
    if (active instanceof HTMLElement && !panel.current.contains(active)) opener.current = active
    panel.current.focus({ preventScroll: true })
    // Its content is still to come, and grows downwards.
    const { top } = panel.current.getBoundingClientRect()
    if (top < 0 || top > window.innerHeight / 2) panel.current.scrollIntoView({ block: 'start' })
  }, [opened, isShown])
  /** Whether what opened it is still there. */
  const goBack = () => {
    const isThere = opener.current?.isConnected === true && opener.current !== document.body
    if (isThere) opener.current?.focus()
    return isThere
  }
  return { panel, goBack }
}
