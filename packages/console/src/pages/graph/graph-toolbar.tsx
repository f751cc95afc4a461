// Moves about in the graph; the page holds what is chosen. Only a neighbourhood has a depth and a way back to
// the whole graph.
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { useFocusHandover } from '../../components/vanishing.ts'
import { EntitySearch } from './entity-search.tsx'

export const PATH_BUTTON = 'shortest-path'
const DEPTHS = [1, 2, 3] as const
const VIEWS = ['picture', 'list'] as const
const VIEW_NAMES = { picture: 'Picture', list: 'List' } as const

export const GraphToolbar = ({
  keyId,
  isNeighbourhood,
  depth,
  view,
  onFocus,
  onWhole,
  onDepth,
  onView,
  onPath,
  add,
}: {
  keyId: string
  isNeighbourhood: boolean
  depth: number
  view: (typeof VIEWS)[number]
  onFocus: (id: string) => void
  onWhole: () => void
  onDepth: (depth: number) => void
  onView: (view: (typeof VIEWS)[number]) => void
  onPath: () => void
  add: ReactNode
}) => (
  <div className="graph-toolbar">
    <EntitySearch
      keyId={keyId}
      label="Find an entity"
      onChoose={(found) => found && onFocus(found.id)}
    />
    <fieldset className="field">
      <legend className="visually-hidden">Show as</legend>
      <div className="segments">
        {VIEWS.map((each) => (
          <label key={each}>
            <input type="radio" name="view" checked={view === each} onChange={() => onView(each)} />
            {VIEW_NAMES[each]}
          </label>
        ))}
      </div>
    </fieldset>
    <div className="row acts">
      {isNeighbourhood && <Neighbourhood depth={depth} onDepth={onDepth} onWhole={onWhole} />}
      <Button id={PATH_BUTTON} onClick={onPath}>
        <Icon name="path" />
        Shortest path
      </Button>
      {add}
    </div>
  </div>
)

/** Vanishes with the neighbourhood, by "back" too. */
function Neighbourhood({
  depth,
  onDepth,
  onWhole,
}: {
  depth: number
  onDepth: (depth: number) => void
  onWhole: () => void
}) {
  const depths = useFocusHandover<HTMLFieldSetElement>()
  const whole = useFocusHandover<HTMLButtonElement>()
  return (
    <>
      <fieldset className="field" ref={depths}>
        <legend className="label">Depth</legend>
        <div className="segments">
          {DEPTHS.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="depth"
                checked={depth === each}
                onChange={() => onDepth(each)}
              />
              {each}
            </label>
          ))}
        </div>
      </fieldset>
      <Button ref={whole} onClick={onWhole}>
        Whole graph
      </Button>
    </>
  )
}
