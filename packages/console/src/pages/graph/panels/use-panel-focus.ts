// A panel may be out of sight: that of an entity is below the whole graph where there is no room beside it,
// and that of the path above it. Opening one scrolls to it and moves the focus there; closing it moves the
// focus back.
import { useEffect, useRef } from 'react'

/** `opened` tells what the panel is open for; `isShown` whether it is on the page yet, and nothing over it. */
export function usePanelFocus(opened: string | number | undefined, isShown: boolean) {
  const panel = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement>(null)
  // What is open from the start, because the address names it, was opened by nobody: the page begins at its
  // top.
  const before = useRef(opened)
  useEffect(() => {
    if (before.current === opened || (opened !== undefined && !isShown)) return
    before.current = opened
    if (!panel.current) return
    const active = document.activeElement
    if (active instanceof HTMLElement && !panel.current.contains(active)) opener.current = active
    panel.current.focus({ preventScroll: true })
    // The content is still to come and grows downwards, so the panel's top decides.
    const { top } = panel.current.getBoundingClientRect()
    if (top < 0 || top > window.innerHeight / 2) panel.current.scrollIntoView({ block: 'start' })
  }, [opened, isShown])
  /** Moves the focus back to what opened the panel; false if that is gone. */
  const goBack = () => {
    const isThere = opener.current?.isConnected === true && opener.current !== document.body
    if (isThere) opener.current?.focus()
    return isThere
  }
  return { panel, goBack }
}
