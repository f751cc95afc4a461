// Lays the nodes out, away from the thread that draws: ForceAtlas2 in rounds, posting the places after a
// round, so that the picture unfolds while the work goes on.
import Graph from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { layAlong, spread } from './framing.ts'
import type { LayoutAnswer, LayoutMessage, LayoutTask } from './layout.ts'

/** How long a round may take, in milliseconds. */
const ROUND_MS = 60
/** Up to this number a graph is laid out in one round, with exact forces instead of estimated ones. */
const FEW_NODES = 300

// The library's page types know no worker; this is the worker's own side of the channel.
const scope = self as unknown as {
  onmessage: (event: MessageEvent<LayoutMessage>) => void
  postMessage: (answer: LayoutAnswer, transfer: Transferable[]) => void
}
/** Whether the page has drawn what it was last sent; until then it is sent nothing more. */
let isAwaited = true

scope.onmessage = ({ data }) => {
  if (data === 'drawn') isAwaited = true
  else void arrange(data)
}

async function arrange({ places, ends, fixed, iterations, aspect }: LayoutTask) {
  const graph = graphOf(places, ends, fixed)
  const settings = settingsFor(graph)
  let left = iterations
  // A small graph is turned at the end. Shown in steps, it would jump.
  const isSmall = graph.order <= FEW_NODES
  let perRound = isSmall ? iterations : 1
  while (left > 0) {
    const steps = Math.min(left, perRound)
    const started = performance.now()
    forceAtlas2.assign(graph, { iterations: steps, settings })
    if (performance.now() - started < ROUND_MS) perRound *= 2
    left -= steps
    // Lets the page's message "drawn" come in.
    await new Promise((resolve) => setTimeout(resolve))
    if (left > 0 && !isAwaited) continue
    isAwaited = false
    const now = placesOf(graph)
    // Fixed nodes were turned and spread before, and moving them would defeat the purpose.
    if (isSmall && fixed.length === 0) layAlong(now, aspect)
    if (fixed.length === 0) spread(now, aspect)
    scope.postMessage({ places: now, isDone: left <= 0 }, [now.buffer])
  }
}

function graphOf(places: Float32Array, ends: Uint32Array, fixed: Uint8Array): Graph {
  const graph = new Graph({ multi: false, type: 'undirected' })
  for (let node = 0; node * 2 < places.length; node++) {
    graph.addNode(node, {
      x: places[node * 2],
      y: places[node * 2 + 1],
      fixed: fixed[node] === 1,
    })
  }
  for (let index = 0; index < ends.length; index += 2) {
    graph.mergeEdge(ends[index], ends[index + 1])
  }
  return graph
}

function placesOf(graph: Graph): Float32Array<ArrayBuffer> {
  const places = new Float32Array(graph.order * 2)
  graph.forEachNode((node, { x, y }) => {
    places[Number(node) * 2] = x
    places[Number(node) * 2 + 1] = y
  })
  return places
}

const settingsFor = (graph: Graph) => ({
  ...forceAtlas2.inferSettings(graph),
  barnesHutOptimize: graph.order > FEW_NODES,
  // Keeps unconnected parts close to one another instead of driving them apart.
  strongGravityMode: true,
  gravity: graph.order > FEW_NODES ? 0.1 : 0.6,
  scalingRatio: graph.order > FEW_NODES ? 6 : 10,
  slowDown: 1 + Math.log(graph.order + 1),
})
