// The state of the shortest path's panel: its two ends, and whether it is open. An end that is deleted is
// dropped; closing the panel moves the focus back to where it was opened.
import { useState } from 'react'
import { focusOn } from '../../../components/vanishing.ts'
import type { Found } from '../entity-search.tsx'
import { PATH_BUTTON } from '../graph-toolbar.tsx'
import type { Ends } from './path-finder.tsx'
import { usePanelFocus } from './use-panel-focus.ts'

export function usePathPanel() {
  const [ends, setEnds] = useState<Ends>()
  const [timesOpened, setTimesOpened] = useState(0)
  const { panel, goBack } = usePanelFocus(ends && timesOpened, ends !== undefined)
  return {
    panel,
    /** Undefined while it is closed. */
    ends,
    setEnds,
    /** Also moves the focus to the panel when it is open already. */
    open(next: Ends) {
      setEnds(next)
      setTimesOpened(timesOpened + 1)
    },
    close() {
      setEnds(undefined)
      if (!goBack()) focusOn(PATH_BUTTON)
    },
    /** Drops an entity that was deleted. */
    leave(id: string) {
      setEnds((now) => now && { from: unless(id, now.from), to: unless(id, now.to) })
    },
  }
}

const unless = (gone: string, end: Found | undefined) => (end?.id === gone ? undefined : end)
