import { expect, test } from 'vitest'
import { answer, EDGES_MAX, searchNeighbourhood } from './graph-search.ts'

/** The neighbourhood of one of two entities that have so many relations to each other. */
function neighbourhoodOf(relations: number) {
  const edges = Array.from({ length: relations }, (_, n) => ({
    id: `rel_${n}`,
    sourceId: 'ent_a',
    targetId: 'ent_b',
    type: 'KNOWS',
  }))
  return answer(searchNeighbourhood('ent_a', { depth: 1, nodesMax: 2 }), () => edges)
}

test.each([
  [EDGES_MAX, true],
  [EDGES_MAX + 1, false],
])('of %i relations, each seen from both of its ends, all are told: %j', (relations, isAll) => {
  const { edges, isComplete } = neighbourhoodOf(relations)
  expect([edges.length, isComplete]).toEqual([EDGES_MAX, isAll])
})
