// The page's side of the layout worker.
import type Graph from 'graphology'

export type LayoutTask = {
  places: Float32Array
  ends: Uint32Array
  /** For each node 1 if it stays in its place; empty if all may move. */
  fixed: Uint8Array
  /** Whether nothing was drawn before; else the places are near their last ones, and need half the work. */
  isNew: boolean
  /** The canvas's width divided by its height: the places are spread to fill it. */
  aspect: number
}
export type LayoutMessage = LayoutTask | 'drawn'
export type LayoutAnswer = { places: Float32Array; isDone: boolean }

/** Enough for a part of so many nodes to settle. */
export const iterationsFor = (order: number) => (order > 2_000 ? 90 : order > 300 ? 200 : 300)

/** The share of the time that drawing may take; the rest is for the reader's clicks. */
const DRAWING_SHARE = 1 / 3

/** The graph as the worker takes it: nodes as numbers, their places, and both ends of each edge. */
export function packed(graph: Graph<{ x: number; y: number }>) {
  const numbers = new Map(graph.nodes().map((id, number) => [id, number]))
  const places = new Float32Array(numbers.size * 2)
  for (const [id, number] of numbers) {
    const { x, y } = graph.getNodeAttributes(id)
    places.set([x, y], number * 2)
  }
  const ends = Uint32Array.from(
    graph.edges().flatMap((edge) => graph.extremities(edge).map((id) => numbers.get(id) ?? 0)),
  )
  return { numbers, places, ends }
}

export function layOut(
  task: LayoutTask,
  onPlaces: (places: Float32Array, isDone: boolean) => void,
): () => void {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { places, isDone } }: MessageEvent<LayoutAnswer>) => {
    const started = performance.now()
    onPlaces(places, isDone)
    if (isDone) return worker.terminate()
    // The next places are asked for once these are on the screen, and after a pause in proportion to how
    // long that took: a slow machine shows fewer steps instead of freezing.
    requestAnimationFrame(() => {
      setTimeout(() => {
        const tookMs = performance.now() - started
        setTimeout(() => worker.postMessage('drawn'), tookMs / DRAWING_SHARE - tookMs)
      })
    })
  }
  // After an update the server has this worker no more: the nodes stay where they begin.
  worker.onerror = () => onPlaces(task.places, true)
  worker.postMessage(task)
  return () => worker.terminate()
}
