// The graph of a key as a picture or a list, the panels beside it, and the dialogs that add to it.
import './graph.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { keyQuery } from '../../api/keys.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Empty } from '../../components/states.tsx'
import { firstInItem, focusOn, PAGE_TITLE } from '../../components/vanishing.ts'
import { useTitle } from '../../layout/page.tsx'
import { GraphToolbar } from './graph-toolbar.tsx'
import { MissingGraph } from './missing-graph.tsx'
import { CreateEntity, entityDrafts } from './panels/create-entity.tsx'
import { CreateRelation, relationDrafts } from './panels/create-relation.tsx'
import { EntityPanel } from './panels/entity-panel.tsx'
import { PathFinder } from './panels/path-finder.tsx'
import { usePanelFocus } from './panels/use-panel-focus.ts'
import { usePathPanel } from './panels/use-path-panel.ts'
import { ShownGraph } from './shown-graph.tsx'
import { useGraph } from './use-graph.ts'
import { usePlace } from './use-place.ts'

export function GraphPage() {
  useTitle('Graph')
  const { key } = useParams({ from: '/shell/keys/$key/graph' })
  const place = usePlace(key)
  const { middle, depth, view, opened, selected, look, focus, select, leave } = place
  const isRevoked = useQuery(keyQuery(key)).data?.key.status === 'revoked'
  const [isAdding, setAdding] = useState(() => entityDrafts.has(key))
  const [relateFrom, setRelateFrom] = useState(() => relationDrafts.get(key)?.draft.from)
  const path = usePathPanel()
  const graph = useGraph(key, opened, path.ends ?? {})
  const isEmpty = graph.data.nodes.length === 0
  const isWhole = middle === undefined
  const hasNothing = isWhole && isEmpty
  // When a neighbourhood cannot be shown neither can its middle: one error is enough.
  const isPanelShown = selected !== undefined && !(isEmpty && graph.error)
  // "Back" may change what the panel shows behind a dialog, which has the focus until it is closed.
  const isCovered = isAdding || relateFrom !== undefined
  const { panel, goBack } = usePanelFocus(selected, isPanelShown && !hasNothing && !isCovered)
  const close = () => {
    select(undefined)
    // The address may have opened it, or a dialog that is gone.
    if (!goBack()) firstInItem(selected ?? '', PAGE_TITLE)?.focus()
  }
  const add = (
    <Button tone={hasNothing ? 'primary' : 'plain'} onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add entity
    </Button>
  )
  return (
    <div className="graph-page">
      <h1 className="visually-hidden" id={PAGE_TITLE} tabIndex={-1}>
        Graph
      </h1>
      {hasNothing && (graph.error || graph.isPending) ? (
        <MissingGraph graph={graph} />
      ) : hasNothing ? (
        <div className="card">
          <Empty icon="graph" title={isRevoked ? 'There is no graph' : 'There is no graph yet'}>
            <p>
              {isRevoked
                ? 'This key is revoked: nothing can be added with it.'
                : 'People, places and things that your app stores appear here, with what joins them.'}
            </p>
            {!isRevoked && add}
          </Empty>
        </div>
      ) : (
        <>
          <GraphToolbar
            keyId={key}
            isNeighbourhood={!isWhole}
            depth={depth}
            view={view}
            onFocus={focus}
            onWhole={() => {
              focus(undefined)
              focusOn(PAGE_TITLE)
            }}
            onDepth={(next) => look({ depth: next > 1 ? next : undefined })}
            onView={(next) => look({ view: next === 'list' ? next : undefined })}
            onPath={() => path.open({})}
            add={!isRevoked && add}
          />
          {path.ends && (
            <PathFinder
              ref={path.panel}
              keyId={key}
              ends={path.ends}
              onEnds={path.setEnds}
              onClose={path.close}
              onSelect={select}
            />
          )}
          <div className={isPanelShown ? 'graph-area with-panel' : 'graph-area'}>
            <ShownGraph
              graph={graph}
              middle={middle}
              view={view}
              wanted={place.amount}
              onWanted={(amount) => look({ amount })}
              hidden={place.hidden}
              onHidden={(hidden) => look({ hidden: [...hidden].join(',') || undefined })}
              selected={selected}
              onSelect={select}
            />
            {isPanelShown && (
              <EntityPanel
                ref={panel}
                keyId={key}
                id={selected}
                isRevoked={isRevoked}
                acts={{
                  onClose: close,
                  onSelect: select,
                  onExpand: focus,
                  onRelate: setRelateFrom,
                  onPath: (from) => path.open({ from }),
                  onDeleted: (id) => {
                    path.leave(id)
                    leave(id)
                    goBack()
                  },
                }}
              />
            )}
          </div>
        </>
      )}
      <CreateEntity
        keyId={key}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onMade={({ id }) => (isWhole ? select(id) : focus(id))}
      />
      <CreateRelation
        keyId={key}
        from={relateFrom}
        onClose={() => setRelateFrom(undefined)}
        onMade={select}
      />
    </div>
  )
}
