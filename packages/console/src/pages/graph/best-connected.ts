// The part of a graph that a picture can show legibly: the best connected entities and the relations between
// them. An entity that is open is in it whatever its rank, with its neighbours, so that it opens where it
// stands. The rest can be reached by the list, by the search, or by asking for more.
import type { GraphData } from './graph-data.ts'

/** Neighbours that an open entity brings along; its neighbourhood shows more. */
const NEIGHBOURS_MAX = 100
/** How many times more the next amount shows. */
const STEP = 4

/** How many entities can be told apart in a wide and in a narrow picture. */
export const FIRST = { wide: 200, narrow: 80 }

/** The amounts that the picture offers to draw, in ascending order; the last is `total`. */
export const amountsOf = (total: number, first: number) => [
  ...[first, first * STEP].filter((amount) => amount < total),
  total,
]

/** The best connected entities first; in a neighbourhood, the nearer ones before those further away. */
export const ranked = (data: GraphData): GraphData => ({
  ...data,
  nodes: data.nodes.toSorted((a, b) => a.depth - b.depth || b.degree - a.degree),
})

/**
 * The first `amount` entities of ranked data, with the relations between them. `looked` are ids of entities
 * to show with their neighbours, `others` of entities to show besides.
 */
export function bestConnected(
  data: GraphData,
  amount: number,
  { looked, others }: { looked: readonly string[]; others: readonly string[] },
): GraphData {
  if (data.nodes.length <= amount) return data
  const near = looked.map((id) => neighboursOf(id, data))
  const ids = new Set([
    ...data.nodes.slice(0, amount).map(({ id }) => id),
    ...near
      .flatMap((all) => data.nodes.filter(({ id }) => all.has(id)).slice(0, NEIGHBOURS_MAX))
      .map(({ id }) => id),
    ...looked,
    ...others,
  ])
  return {
    ...data,
    nodes: data.nodes.filter(({ id }) => ids.has(id)),
    edges: data.edges.filter(({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId)),
  }
}

const neighboursOf = (id: string, { edges }: GraphData) =>
  new Set(
    edges.flatMap(({ sourceId, targetId }) =>
      sourceId === id ? [targetId] : targetId === id ? [sourceId] : [],
    ),
  )
