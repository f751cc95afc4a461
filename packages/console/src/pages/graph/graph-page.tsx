// The graph of a key: its picture or list, with what is opened beside it, and the dialogs that add to it.
import './graph.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { keyQuery } from '../../api/keys.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { number } from '../../components/number.ts'
import { Empty, Loading, Problem } from '../../components/states.tsx'
import { focusOn, PAGE_TITLE } from '../../components/vanishing.ts'
import { useTitle } from '../../layout/page.tsx'
import { CreateEntity, entityDrafts } from './create-entity.tsx'
import { CreateRelation, relationDrafts } from './create-relation.tsx'
import { EntityPanel } from './entity-panel.tsx'
import type { Found } from './entity-search.tsx'
import { isToItself, without } from './graph-data.ts'
import { GraphList } from './graph-list.tsx'
import { GraphPicture } from './graph-picture.tsx'
import { GraphToolbar, PATH_BUTTON } from './graph-toolbar.tsx'
import { Legend } from './legend.tsx'
import { type Ends, PathFinder } from './path-finder.tsx'
import { useGraph } from './use-graph.ts'
import { usePanelFocus } from './use-panel-focus.ts'
import { usePlace } from './use-place.ts'

export function GraphPage() {
  useTitle('Graph')
  const { key } = useParams({ from: '/shell/keys/$key/graph' })
  const { middle, depth, view, opened, selected, look, focus, select, leave } = usePlace(key)
  const isRevoked = useQuery(keyQuery(key)).data?.key.status === 'revoked'
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [ends, setEnds] = useState<Ends>()
  const [pathsOpened, setPathsOpened] = useState(0)
  const [isAdding, setAdding] = useState(() => entityDrafts.has(key))
  const [relateFrom, setRelateFrom] = useState(() => relationDrafts.get(key)?.draft.from)
  const graph = useGraph(key, opened, ends ?? {})
  const shown = useMemo(() => without(graph.data, hidden), [graph.data, hidden])
  const isEmpty = graph.data.nodes.length === 0
  const isWhole = middle === undefined
  // What is wrong with a whole neighbourhood is wrong with its middle too: it is said once.
  const isPanelShown = selected !== undefined && !(isEmpty && graph.error)
  const { panel, goBack } = usePanelFocus(selected, isPanelShown && !(isWhole && isEmpty))
  const path = usePanelFocus(ends && pathsOpened, ends !== undefined)
  const openPath = (next: Ends) => {
    setEnds(next)
    setPathsOpened(pathsOpened + 1)
  }
  const close = () => {
    select(undefined)
    goBack()
  }
  const add = (
    <Button tone={isWhole && isEmpty ? 'primary' : 'plain'} onClick={() => setAdding(true)}>
      <Icon name="plus" />
      Add entity
    </Button>
  )
  return (
    <div className="graph-page">
      <h1 className="visually-hidden" id={PAGE_TITLE} tabIndex={-1}>
        Graph
      </h1>
      {isWhole && isEmpty && (graph.error || graph.isPending) ? (
        <Missing graph={graph} />
      ) : isWhole && isEmpty ? (
        <div className="card">
          <Empty icon="graph" title="There is no graph yet">
            <p>People, places and things that your app stores appear here, with what joins them.</p>
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
            onPath={() => openPath({})}
            add={!isRevoked && add}
          />
          {ends && (
            <PathFinder
              ref={path.panel}
              keyId={key}
              ends={ends}
              onEnds={setEnds}
              onClose={() => {
                setEnds(undefined)
                if (!path.goBack()) focusOn(PATH_BUTTON)
              }}
              onSelect={select}
            />
          )}
          <div className={isPanelShown ? 'graph-area with-panel' : 'graph-area'}>
            {isEmpty && (graph.error || graph.isPending) ? (
              <Missing graph={graph} />
            ) : (
              <div className="stack tight">
                <Legend data={graph.data} hidden={hidden} onHidden={setHidden} />
                {shown.nodes.length === 0 ? (
                  <div className="card">
                    <Empty icon="graph" title="All types are switched off" />
                  </div>
                ) : view === 'list' ? (
                  <GraphList data={shown} selected={selected} onSelect={select} />
                ) : (
                  <>
                    <GraphPicture
                      data={shown}
                      selected={selected}
                      path={graph.path}
                      onSelect={select}
                    />
                    <Undrawn count={shown.edges.filter(isToItself).length} />
                  </>
                )}
                <Bounds graph={graph} isWhole={isWhole} />
              </div>
            )}
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
                  onPath: (from) => openPath({ from }),
                  onDeleted: (id) => {
                    setEnds(ends && { from: unless(id, ends.from), to: unless(id, ends.to) })
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

/** There is no graph to show, not yet or not at all. */
const Missing = ({ graph }: { graph: ReturnType<typeof useGraph> }) =>
  graph.error ? (
    <Problem error={graph.error} retry={graph.refetch} />
  ) : (
    <div className="card">
      <Loading what="the graph" lines={9} />
    </div>
  )

/** Of the relations that the picture counts. */
const Undrawn = ({ count }: { count: number }) =>
  count > 0 && (
    <p className="quiet small">
      {count === 1
        ? 'One relation, of an entity to itself, is not drawn. The list shows it.'
        : `${number(count)} relations, of entities to themselves, are not drawn. The list shows them.`}
    </p>
  )

const unless = (gone: string, end: Found | undefined) => (end?.id === gone ? undefined : end)

function Bounds({
  graph: { data, total },
  isWhole,
}: {
  graph: ReturnType<typeof useGraph>
  isWhole: boolean
}) {
  if (data.isComplete) return null
  return (
    <p className="quiet small" role="status">
      {isWhole && total
        ? `The newest ${number(data.nodes.length)} of ${number(total.entities)} entities are shown. Find others with the search.`
        : 'There is more than can be shown at once. Open a smaller part with the search.'}
    </p>
  )
}
