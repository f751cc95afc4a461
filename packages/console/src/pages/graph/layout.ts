// The page's side of the layout worker.
import type Graph from 'graphology'

export type LayoutTask = {
  places: Float32Array
  ends: Uint32Array
  /** For each node 1 where it stays in its place; empty where all may move. */
  fixed: Uint8Array
  iterations: number
  /** Of the canvas, width to height: the places are spread to fill it. */
  aspect: number
}
export type LayoutMessage = LayoutTask | 'drawn'
export type LayoutAnswer = { places: Float32Array; isDone: boolean }

/** Enough for the shape to settle; a few new nodes in an old picture need no more. */
export const iterationsFor = (order: number) => (order > 2_000 ? 90 : order > 300 ? 200 : 300)

/** Of the time, the part that drawing may take; the rest belongs to the reader's clicks. */
const DRAWING_SHARE = 1 / 3

/** Nodes by number, with their places and the ends of their edges, as the worker takes them. */
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
    // The next places are wanted once these are on the screen, and after a pause as long as the
    // machine needs: a slow one shows fewer steps instead of standing still.
    requestAnimationFrame(() => {
      setTimeout(() => {
        const tookMs = performance.now() - started
        setTimeout(() => worker.postMessage('drawn'), tookMs / DRAWING_SHARE - tookMs)
      })
    })
  }
  worker.postMessage(task)
  return () => worker.terminate()
}
