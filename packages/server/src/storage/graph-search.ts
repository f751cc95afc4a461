// Searches in a graph that every driver runs the same way: a search names entities, is given their
// relations, and goes on. So a driver decides how to read, one entity after the other or hundreds in
// one statement, and nothing else: what comes out, and in which order, is the same.
import type { GraphEdgeRecord } from './console-store.ts'

/** Rows of relations that one question may look at. */
export const ROWS_MAX = 100_000
export const EDGES_MAX = 20_000
export const DEGREE_MAX = 1_000
/** Entities whose relations a search asks for together. */
const ENTITIES_AT_ONCE = 200

/** Of one entity that was named: outgoing ones, then incoming ones, each newest first. */
export type RelationsOf = (id: string) => readonly GraphEdgeRecord[]
/** Asks for the relations of each entity once at most, in the order in which it named them. */
export type GraphSearch<Result> = Generator<readonly string[], Result, RelationsOf>

/** For a driver that reads the relations of an entity when they are asked for. */
export function answer<Result>(search: GraphSearch<Result>, relationsOf: RelationsOf): Result {
  let step = search.next()
  while (step.done !== true) step = search.next(relationsOf)
  return step.value
}

/** For a driver that reads the relations of many entities at once. */
export async function answerTogether<Result>(
  search: GraphSearch<Result>,
  relationsOfAll: (ids: readonly string[]) => Promise<RelationsOf>,
): Promise<Result> {
  let step = search.next()
  while (step.done !== true) step = search.next(await relationsOfAll(step.value))
  return step.value
}

export function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += ENTITIES_AT_ONCE) {
    yield ids.slice(at, at + ENTITIES_AT_ONCE)
  }
}

export const otherEnd = (edge: GraphEdgeRecord, id: string): string =>
  edge.sourceId === id ? edge.targetId : edge.sourceId

type Neighbourhood = {
  /** How far away each entity is, nearest first. */
  depths: ReadonlyMap<string, number>
  edges: GraphEdgeRecord[]
  isComplete: boolean
}

export function* searchNeighbourhood(
  id: string,
  { depth, nodesMax }: { depth: number; nodesMax: number },
): GraphSearch<Neighbourhood> {
  const depths = new Map([[id, 0]])
  const edges = new Map<string, GraphEdgeRecord>()
  let isComplete = true
  let looked = 0
  // The last round finds no nodes any more, only the relations among the outermost ones.
  while (looked < depths.size) {
    const round = [...depths].slice(looked, looked + ENTITIES_AT_ONCE)
    looked += round.length
    const relationsOf = yield round.map(([from]) => from)
    for (const [from, level] of round) {
      for (const edge of relationsOf(from)) {
        const to = otherEnd(edge, from)
        if (!depths.has(to) && level < depth) {
          if (depths.size < nodesMax) depths.set(to, level + 1)
          else isComplete = false
        }
        if (!depths.has(to)) continue
        if (edges.size < EDGES_MAX || edges.has(edge.id)) edges.set(edge.id, edge)
        else isComplete = false
      }
    }
  }
  return { depths, edges: [...edges.values()], isComplete }
}
