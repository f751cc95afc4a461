// Lays the nodes out, away from the thread that draws: each part of the graph by ForceAtlas2, the large ones
// in rounds, posting the places after a round, so that the picture unfolds while the work goes on.
import Graph from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { layAlong, spread } from './framing.ts'
import { iterationsFor, type LayoutAnswer, type LayoutMessage, type LayoutTask } from './layout.ts'
import { pack, partsOf } from './parts.ts'

/** How long a round may take, in milliseconds. */
const ROUND_MS = 60
/** Up to this number a part is laid out in one round, with exact forces instead of estimated ones. */
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

async function arrange({ places, ends, fixed, isNew, aspect }: LayoutTask) {
  const graph = graphOf(places, ends, fixed)
  // Fixed nodes were turned, packed and spread before, and moving them would defeat the purpose.
  const isFree = fixed.length === 0
  const parts = isFree ? partsOf(graph) : [graph]
  const iterations = (part: Graph) => iterationsFor(part.order) / (isNew ? 1 : 2)
  const large = parts.filter((part) => !isSmall(part))
  for (const part of parts) if (isSmall(part)) advance(part, iterations(part))
  let left = Math.max(0, ...large.map(iterations))
  let perRound = 1
  do {
    const steps = Math.min(left, perRound)
    const started = performance.now()
    for (const part of large) advance(part, steps)
    if (performance.now() - started < ROUND_MS) perRound *= 2
    left -= steps
    // Lets the page's message "drawn" come in.
    await new Promise((resolve) => setTimeout(resolve))
    if (left > 0 && !isAwaited) continue
    isAwaited = false
    const now = new Float32Array(places.length)
    const ofParts = parts.map(placesOf)
    if (isFree) {
      // Only what is small is turned: a part that is shown in steps would jump.
      for (const part of ofParts) if (part.length / 2 <= FEW_NODES) layAlong(part, aspect)
      pack(ofParts, aspect)
    }
    for (const [index, part] of parts.entries()) {
      part.nodes().forEach((node, at) => {
        now.set(ofParts[index]?.subarray(at * 2, at * 2 + 2) ?? [], Number(node) * 2)
      })
    }
    if (isFree) spread(now, aspect)
    scope.postMessage({ places: now, isDone: left <= 0 }, [now.buffer])
  } while (left > 0)
}

const isSmall = (part: Graph) => part.order <= FEW_NODES

function advance(part: Graph, iterations: number) {
  if (part.size > 0) forceAtlas2.assign(part, { iterations, settings: settingsFor(part) })
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

/** In the order of the part's nodes. */
const placesOf = (part: Graph) => Float32Array.from(part.mapNodes((_, { x, y }) => [x, y]).flat())

const settingsFor = (part: Graph) => ({
  ...forceAtlas2.inferSettings(part),
  barnesHutOptimize: !isSmall(part),
  // Keeps nodes at the rim close to the others instead of driving them off.
  strongGravityMode: true,
  gravity: isSmall(part) ? 0.6 : 0.1,
  scalingRatio: isSmall(part) ? 10 : 6,
  slowDown: 1 + Math.log(part.order + 1),
})
