// The data as the graph that sigma draws. Nodes that stay keep their places; new ones start beside a
// neighbour.
import Graph from 'graphology'
import type { GraphNode } from '../../../api/contract.ts'
import { type GraphData, lines } from '../graph-data.ts'
import { radiusOf, scaleFor } from './node-size.ts'

export type NodeAttributes = {
  x: number
  y: number
  size: number
  label: string
  type: string
  kind: GraphNode['type']
}
export type EdgeAttributes = { label: string; size: number; type: string }
type DrawnGraph = Graph<NodeAttributes, EdgeAttributes>

/** In radians: turns by this angle never line up, as in a sunflower. */
const GOLDEN_ANGLE = 2.399963

export const newGraph = (): DrawnGraph =>
  new Graph<NodeAttributes, EdgeAttributes>({ type: 'directed' })

/**
 * A new graph for each change of the data: sigma would redraw after every single change of the one it shows.
 * `size` is that of the picture, in pixels.
 */
export function drawnGraph(
  data: GraphData,
  before: DrawnGraph,
  { size, isLarge }: { size: { width: number; height: number }; isLarge: boolean },
): DrawnGraph {
  const drawn = lines(data.edges)
  const near = new Map<string, string>()
  for (const { source, target } of drawn) {
    if (before.hasNode(source)) near.set(target, source)
    if (before.hasNode(target)) near.set(source, target)
  }
  const next = newGraph()
  const spread = Math.sqrt(data.nodes.length) * 0.6
  const scale = scaleFor(data.nodes.length, size)
  const most = Math.max(0, ...data.nodes.map(({ degree }) => degree))
  data.nodes.forEach((node, index) => {
    const origin = before.hasNode(node.id) ? node.id : near.get(node.id)
    const place = origin === undefined ? { x: 0, y: 0 } : before.getNodeAttributes(origin)
    const radius =
      origin === node.id ? 0 : origin === undefined ? Math.sqrt(index + 0.5) * spread : 12
    next.addNode(node.id, {
      x: place.x + Math.cos(index * GOLDEN_ANGLE) * radius,
      y: place.y + Math.sin(index * GOLDEN_ANGLE) * radius,
      size: radiusOf(node.degree, most, scale),
      label: node.name,
      type: 'shape',
      kind: node.type,
    })
  })
  for (const { id, source, target, isBothWays, label } of drawn) {
    const type = isLarge ? 'line' : isBothWays ? 'both' : 'arrow'
    next.addEdgeWithKey(id, source, target, { label, size: isLarge ? 0.5 : 1.6 * scale, type })
  }
  return next
}
