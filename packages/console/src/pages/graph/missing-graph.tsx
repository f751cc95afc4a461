import { Loading, Problem } from '../../components/states.tsx'
import type { useGraph } from './use-graph.ts'

/** While the graph loads, or when it could not be loaded. */
export const MissingGraph = ({ graph }: { graph: ReturnType<typeof useGraph> }) =>
  graph.error ? (
    <Problem error={graph.error} retry={graph.refetch} />
  ) : (
    <div className="card">
      <Loading what="the graph" lines={9} />
    </div>
  )
