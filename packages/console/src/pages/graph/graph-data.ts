// What the picture shows, as plain data: neighbourhoods and a path merge into one graph, and all relations
// between two entities into one line that names their types.
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

/** Leaves out the entities of hidden types, and their relations. */
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

/**
 * One line for each pair of entities. An entity's relations to itself, which no line can show, are left out.
 */
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
