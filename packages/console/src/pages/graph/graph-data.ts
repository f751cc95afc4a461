// What the picture shows, as plain data: several neighbourhoods and a path become one graph, and
// relations between the same two entities become one line with all their types.
import type { Graph, GraphEdge, GraphNode } from '../../api/contract.ts'
import { excerpt } from '../../components/cut.ts'

export type GraphData = { nodes: GraphNode[]; edges: GraphEdge[]; isComplete: boolean }
export const NOTHING: GraphData = { nodes: [], edges: [], isComplete: true }

export function merged(graphs: readonly Graph[]): GraphData {
  const nodes = new Map<string, GraphNode>()
  const edges = new Map<string, GraphEdge>()
  for (const graph of graphs) {
    for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node)
    for (const edge of graph.edges) edges.set(edge.id, edge)
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    isComplete: graphs.every(({ isComplete }) => isComplete),
  }
}

/** Without the entities of the types that are switched off, and without what hangs on them. */
export function without(data: GraphData, hidden: ReadonlySet<string>): GraphData {
  if (hidden.size === 0) return data
  const nodes = data.nodes.filter(({ type }) => !hidden.has(type))
  const ids = new Set(nodes.map(({ id }) => id))
  const edges = data.edges.filter(
    ({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId),
  )
  return { ...data, nodes, edges }
}

type Line = {
  id: string
  source: string
  target: string
  isBothWays: boolean
  label: string
}

const LABEL_LENGTH_MAX = 48

export const isToItself = ({ sourceId, targetId }: GraphEdge) => sourceId === targetId

/** One line for each two entities. A relation of an entity to itself cannot be drawn as one. */
export function lines(edges: readonly GraphEdge[]): Line[] {
  const pairs = new Map<string, { source: string; target: string; on: string[]; back: string[] }>()
  for (const edge of edges) {
    const { sourceId, targetId, type } = edge
    if (isToItself(edge)) continue
    const reverse = pairs.get(`${targetId} ${sourceId}`)
    const pair = reverse ?? pairs.get(`${sourceId} ${targetId}`)
    const types = reverse ? reverse.back : pair?.on
    if (!types) {
      const fresh = { source: sourceId, target: targetId, on: [type], back: [] }
      pairs.set(`${sourceId} ${targetId}`, fresh)
    } else if (!types.includes(type)) types.push(type)
  }
  return [...pairs].map(([id, { source, target, on, back }]) => ({
    id,
    source,
    target,
    isBothWays: back.length > 0,
    label: excerpt([on.join(', '), back.join(', ')].filter(Boolean).join(' ⇄ '), LABEL_LENGTH_MAX),
  }))
}
