// A shortest path between two entities, searched from both ends in turn, always on the side that
// has fewer entities to look at: where everybody knows a hundred others, that is the difference
// between thousands and millions of relations.
import type { GraphEdgeRecord } from './console-store.ts'
import { batchesOf, type GraphSearch, otherEnd } from './graph-search.ts'

/** Relations of a path. Each step may be a question of its own to a database, and nobody reads so many. */
export const STEPS_MAX = 1_000

type Step = { edge: GraphEdgeRecord; before: string }
type Side = { reached: Map<string, Step | undefined>; frontier: string[] }

/** From one to the other: the edges in order, and the entities between which they are. */
type Path = { ids: string[]; edges: GraphEdgeRecord[] }

/** `isComplete` is false when there may be a longer one. */
type Found = { path: Path | undefined; isComplete: boolean }

export function* searchPath(from: string, to: string): GraphSearch<Found> {
  const start: Side = { reached: new Map([[from, undefined]]), frontier: [from] }
  const end: Side = { reached: new Map([[to, undefined]]), frontier: [to] }
  if (from === to) return { path: { ids: [from], edges: [] }, isComplete: true }
  for (let steps = 0; start.frontier.length > 0 && end.frontier.length > 0; steps += 1) {
    if (steps === STEPS_MAX) return { path: undefined, isComplete: false }
    const [near, far] = start.frontier.length <= end.frontier.length ? [start, end] : [end, start]
    const meeting = yield* advance(near, far)
    if (meeting !== undefined) return { path: join(start, end, meeting), isComplete: true }
  }
  return { path: undefined, isComplete: true }
}

/** One step outwards. Returns where the two sides met: all such meetings are equally short. */
function* advance(near: Side, far: Side): GraphSearch<string | undefined> {
  const next: string[] = []
  for (const ids of batchesOf(near.frontier)) {
    const relationsOf = yield ids
    for (const id of ids) {
      for (const edge of relationsOf(id)) {
        const to = otherEnd(edge, id)
        if (near.reached.has(to)) continue
        near.reached.set(to, { edge, before: id })
        if (far.reached.has(to)) return to
        next.push(to)
      }
    }
  }
  near.frontier = next
  return undefined
}

function join(start: Side, end: Side, meeting: string): Path {
  const towardsStart = walk(start, meeting)
  const towardsEnd = walk(end, meeting)
  return {
    ids: [...towardsStart.ids.toReversed(), meeting, ...towardsEnd.ids],
    edges: [...towardsStart.edges.toReversed(), ...towardsEnd.edges],
  }
}

/** From the meeting back to where the side began, the meeting itself left out. */
function walk({ reached }: Side, meeting: string): Path {
  const ids: string[] = []
  const edges: GraphEdgeRecord[] = []
  for (let step = reached.get(meeting); step !== undefined; step = reached.get(step.before)) {
    ids.push(step.before)
    edges.push(step.edge)
  }
  return { ids, edges }
}
