// The panel of the shortest path: between which entities, and when it is open. An entity that is deleted is no
// end any more, and whoever closes the panel is back where they opened it.
import { useState } from 'react'
import { focusOn } from '../../components/vanishing.ts'
import type { Found } from './entity-search.tsx'
import { PATH_BUTTON } from './graph-toolbar.tsx'
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
    /** Also where it is open already. */
    open(next: Ends) {
      setEnds(next)
      setTimesOpened(timesOpened + 1)
    },
    close() {
      setEnds(undefined)
      if (!goBack()) focusOn(PATH_BUTTON)
    },
    /** It is gone. */
    leave(id: string) {
      setEnds(ends && { from: unless(id, ends.from), to: unless(id, ends.to) })
    },
  }
}

const unless = (gone: string, end: Found | undefined) => (end?.id === gone ? undefined : end)
