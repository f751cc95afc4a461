// The graph as a picture or a list, without the types that are switched off. What is not there to be seen is
// said: relations that no picture can draw, and what lies beyond a bound.
import { useMemo } from 'react'
import { number } from '../../components/number.ts'
import { Empty } from '../../components/states.tsx'
import { isToItself, without } from './graph-data.ts'
import { GraphList } from './graph-list.tsx'
import { GraphPicture } from './graph-picture.tsx'
import { Legend } from './legend.tsx'
import { MissingGraph } from './missing-graph.tsx'
import type { useGraph } from './use-graph.ts'

type Graph = ReturnType<typeof useGraph>

export function ShownGraph({
  graph,
  isWhole,
  view,
  hidden,
  onHidden,
  selected,
  onSelect,
}: {
  graph: Graph
  isWhole: boolean
  view: 'picture' | 'list'
  hidden: ReadonlySet<string>
  onHidden: (hidden: ReadonlySet<string>) => void
  selected: string | undefined
  onSelect: (id: string | undefined) => void
}) {
  const shown = useMemo(() => without(graph.data, hidden), [graph.data, hidden])
  if (graph.data.nodes.length === 0 && (graph.error || graph.isPending)) {
    return <MissingGraph graph={graph} />
  }
  return (
    <div className="stack tight">
      <Legend data={graph.data} hidden={hidden} onHidden={onHidden} />
      {shown.nodes.length === 0 ? (
        <div className="card">
          <Empty icon="graph" title="All types are switched off" />
        </div>
      ) : view === 'list' ? (
        <GraphList data={shown} selected={selected} onSelect={onSelect} />
      ) : (
        <>
          <GraphPicture data={shown} selected={selected} path={graph.path} onSelect={onSelect} />
          <Undrawn count={shown.edges.filter(isToItself).length} />
        </>
      )}
      <Bounds graph={graph} isWhole={isWhole} />
    </div>
  )
}

/** Of the relations that the picture counts. */
const Undrawn = ({ count }: { count: number }) =>
  count > 0 && (
    <p className="quiet small">
      {count === 1
        ? 'One relation, of an entity to itself, is not drawn. The list shows it.'
        : `${number(count)} relations, of entities to themselves, are not drawn. The list shows them.`}
    </p>
  )

function Bounds({ graph: { data, total }, isWhole }: { graph: Graph; isWhole: boolean }) {
  if (data.isComplete) return null
  return (
    <p className="quiet small" role="status">
      {isWhole && total
        ? `The newest ${number(data.nodes.length)} of ${number(total.entities)} entities are shown. Find others with the search.`
        : 'There is more than can be shown at once. Open a smaller part with the search.'}
    </p>
  )
}
