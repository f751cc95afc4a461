import { Loading, Problem } from '../../components/states.tsx'
import type { useGraph } from './use-graph.ts'

/** There is no graph to show, not yet or not at all. */
export const MissingGraph = ({ graph }: { graph: ReturnType<typeof useGraph> }) =>
  graph.error ? (
    <Problem error={graph.error} retry={graph.refetch} />
  ) : (
    <div className="card">
      <Loading what="the graph" lines={9} />
    </div>
  )
