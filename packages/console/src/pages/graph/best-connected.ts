// The part of a graph that a picture can show so that it can be read: the best connected entities, with what
// joins them. What is looked at is in it whatever its rank, and so are its own neighbours: an entity opens
// where it stands. The rest is left to the list, to the search and to those who ask for more.
import type { GraphData } from './graph-data.ts'

/** Of an entity that is looked at; its neighbourhood shows more. */
const NEIGHBOURS_MAX = 100
/** How much more the next amount shows. */
const STEP = 4

/** So many can be told apart in a wide picture, and in a narrow one. */
export const FIRST = { wide: 200, narrow: 80 }

/** How many of so many entities the picture offers to draw, all of them last. */
export const amountsOf = (total: number, first: number) => [
  ...[first, first * STEP].filter((amount) => amount < total),
  total,
]

/** The best connected first; round an entity those that are near before those that are further away. */
export const ranked = (data: GraphData): GraphData => ({
  ...data,
  nodes: data.nodes.toSorted((a, b) => a.depth - b.depth || b.degree - a.degree),
})

/** Of data that is ranked. `looked` are ids of entities whose neighbours are wanted too, `others` of more. */
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
