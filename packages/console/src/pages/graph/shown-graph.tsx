// The graph as a picture or a list, without the types that are switched off. It says what is not shown:
// entities that the picture has no room for, relations that it cannot draw, and what lies beyond the server's
// bounds.
import { useMemo, useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { number } from '../../components/number.ts'
import { Empty, Problem } from '../../components/states.tsx'
import { Amount } from './amount.tsx'
import { amountsOf, bestConnected, FIRST, ranked } from './best-connected.ts'
import { isToItself, without } from './graph-data.ts'
import { GraphList } from './graph-list.tsx'
import { GraphPicture } from './graph-picture.tsx'
import { Legend } from './legend.tsx'
import { MissingGraph } from './missing-graph.tsx'
import type { useGraph } from './use-graph.ts'

/** The width is that in graph.css. */
const isNarrow = () => window.matchMedia('(max-width: 40rem)').matches

type Graph = ReturnType<typeof useGraph>

export function ShownGraph({
  graph,
  middle,
  view,
  wanted,
  onWanted,
  hidden,
  onHidden,
  selected,
  onSelect,
}: {
  graph: Graph
  /** Undefined in the whole graph. */
  middle: string | undefined
  view: 'picture' | 'list'
  /** How many entities to draw; undefined for as many as can be told apart. */
  wanted: number | 'all' | undefined
  onWanted: (wanted: number | 'all' | undefined) => void
  hidden: ReadonlySet<string>
  onHidden: (hidden: ReadonlySet<string>) => void
  selected: string | undefined
  onSelect: (id: string | undefined) => void
}) {
  const [first] = useState(() => (isNarrow() ? FIRST.narrow : FIRST.wide))
  const shown = useMemo(() => ranked(without(graph.data, hidden)), [graph.data, hidden])
  const amounts = amountsOf(shown.nodes.length, first)
  // If there are fewer than were asked for, all are drawn.
  const least = wanted === 'all' ? Infinity : (wanted ?? first)
  const amount = amounts.find((each) => each >= least) ?? shown.nodes.length
  const drawn = useMemo(() => {
    const looked = [middle, selected].filter((id) => id !== undefined)
    return bestConnected(shown, amount, { looked, others: graph.path })
  }, [shown, amount, middle, selected, graph.path])
  if (graph.data.nodes.length === 0 && (graph.error || graph.isPending)) {
    return <MissingGraph graph={graph} />
  }
  // The panel of an entity that is gone says so.
  const problem = graph.error && !isApiError(graph.error, 'ENTITY_NOT_FOUND') && (
    <Problem error={graph.error} retry={graph.refetch} />
  )
  const legend = <Legend data={graph.data} hidden={hidden} onHidden={onHidden} />
  return (
    <div className="stack tight">
      {problem}
      {/* Below a picture, which is to be on the first screen of a phone; a list has no end in sight. */}
      {view === 'list' && legend}
      {shown.nodes.length === 0 ? (
        <div className="card">
          <Empty icon="graph" title="All types are switched off" />
        </div>
      ) : view === 'list' ? (
        <GraphList data={shown} selected={selected} onSelect={onSelect} />
      ) : (
        <GraphPicture
          data={drawn}
          total={shown.nodes.length}
          selected={selected}
          middle={middle}
          path={graph.path}
          onSelect={onSelect}
        />
      )}
      {view === 'picture' && (
        <>
          {legend}
          <Amount
            drawn={drawn.nodes.length}
            amounts={amounts}
            amount={amount}
            isWhole={middle === undefined}
            onAmount={(next) =>
              onWanted(next === first ? undefined : next === amounts.at(-1) ? 'all' : next)
            }
          />
          <Undrawn count={drawn.edges.filter(isToItself).length} />
        </>
      )}
      <Bounds graph={graph} isWhole={middle === undefined} />
    </div>
  )
}

/** How many relations are counted among the picture's but not drawn. */
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
        ? `Of ${number(total.entities)} entities the newest ${number(data.nodes.length)} are here. Find others with the search.`
        : 'There is more than can be shown at once. Open a smaller part with the search.'}
    </p>
  )
}
