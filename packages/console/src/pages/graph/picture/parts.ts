// The parts of a graph that no relation joins. Each is laid out by itself, and then they are packed like
// boxes, the largest first: drawn together, the small ones would be driven into a ring round the large ones.
import Graph from 'graphology'

/** Between two parts, in distances of neighbouring nodes. */
const GAP = 0.8
/** How near the nodes of the other parts are, compared with those of the first: they are easier to read. */
const NEARER = 0.75
/** How much wider than a shape without gaps is tried, since no box can be cut. */
const WIDER = [1, 1.2, 1.4, 1.7, 2]

/** The parts of a graph, the largest first, with the attributes of their nodes. */
export function partsOf(graph: Graph): Graph[] {
  const seen = new Set<string>()
  const parts = graph.nodes().flatMap((first) => {
    if (seen.has(first)) return []
    // It grows while it is gone through.
    const nodes = new Set([first])
    for (const node of nodes) for (const next of graph.neighbors(node)) nodes.add(next)
    const part = new Graph({ type: 'undirected' })
    for (const node of nodes) {
      seen.add(node)
      part.addNode(node, graph.getNodeAttributes(node))
    }
    for (const node of nodes) graph.forEachNeighbor(node, (next) => part.mergeEdge(node, next))
    return [part]
  })
  return parts.toSorted((a, b) => b.order - a.order)
}

/**
 * Moves each part's places to where it covers no other, in a shape about as wide as `aspect` times its height.
 * The largest part comes first; the others are scaled so that their nodes are as far apart as its nodes are.
 */
export function pack(parts: readonly Float32Array[], aspect: number): void {
  const boxes = parts.map(boxOf)
  const distance = boxes[0]?.distance || 1
  const cells = boxes.map(({ width, height, distance: own }, index) => {
    const scale = index === 0 || own === 0 ? 1 : (NEARER * distance) / own
    const [across, down] = [(width * scale) / distance + GAP, (height * scale) / distance + GAP]
    return { scale, across: Math.ceil(across), down }
  })
  const area = cells.reduce((sum, { across, down }) => sum + across * down, 0)
  const widest = Math.max(...cells.map(({ across }) => across))
  const tried = WIDER.map((wider) =>
    stack(cells, Math.max(widest, Math.round(Math.sqrt(area * aspect) * wider))),
  )
  const needs = ({ width, depth }: Stacked) => Math.max(width / aspect, depth)
  const { spots } = tried.reduce((best, next) => (needs(next) < needs(best) ? next : best))
  for (const [index, { x, y }] of spots.entries()) {
    const [places, box, scale] = [parts[index], boxes[index], cells[index]?.scale ?? 1]
    if (!places || !box) continue
    for (let at = 0; at < places.length; at += 2) {
      places[at] = x * distance + ((places[at] ?? 0) - box.x) * scale
      // The canvas's y grows upwards.
      places[at + 1] = -y * distance + ((places[at + 1] ?? 0) - box.y) * scale
    }
  }
}

type Cell = { across: number; down: number }
type Stacked = { spots: { x: number; y: number }[]; width: number; depth: number }

/** The middle of each cell when one after the other is put where it comes to lie highest. */
function stack(cells: readonly Cell[], columns: number): Stacked {
  const depths = new Float64Array(columns)
  let width = 0
  const spots = cells.map(({ across, down }) => {
    let [column, depth] = [0, Infinity]
    for (let left = 0; left + across <= columns; left++) {
      let below = 0
      for (let at = left; at < left + across; at++) below = Math.max(below, depths[at] ?? 0)
      if (below < depth) [column, depth] = [left, below]
    }
    depths.fill(depth + down, column, column + across)
    width = Math.max(width, column + across)
    return { x: column + across / 2, y: depth + down / 2 }
  })
  return { spots, width, depth: Math.max(...depths) }
}

/** The middle and the sides of the box round the places, and how far they are apart; 0 for a single one. */
function boxOf(places: Float32Array) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at] ?? 0, places[at + 1] ?? 0]
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
  }
  const [width, height, count] = [right - left, bottom - top, places.length / 2]
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    width,
    height,
    distance: Math.max(Math.sqrt((width * height) / count), Math.max(width, height) / count),
  }
}
