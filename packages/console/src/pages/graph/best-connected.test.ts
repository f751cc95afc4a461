// Which entities a picture shows of a graph that is too large for it: the best connected, and those that are
// open.
import { expect, test } from 'vitest'
import type { GraphNode } from '../../api/contract.ts'
import { amountsOf, bestConnected, ranked } from './best-connected.ts'

const node = (id: string, degree: number): GraphNode => ({
  ...{ id, name: id, degree, depth: 0 },
  type: 'PERSON',
})
const edge = (sourceId: string, targetId: string) => ({
  ...{ id: `${sourceId}-${targetId}`, sourceId, targetId },
  type: 'KNOWS',
})
/** Two hubs that know each other, one with two leaves and one with three; one alone. */
const DATA = ranked({
  nodes: [
    ...[node('alone', 0), node('a1', 1), node('a2', 1), node('b1', 1), node('b2', 1)],
    ...[node('b3', 1), node('a', 3), node('b', 4)],
  ],
  edges: [
    ...[edge('a1', 'a'), edge('a', 'a2'), edge('a', 'b')],
    ...[edge('b1', 'b'), edge('b', 'b2'), edge('b', 'b3')],
  ],
  isComplete: true,
})
const NOBODY = { looked: [], others: [] }
const ids = ({ nodes }: { nodes: GraphNode[] }) => nodes.map(({ id }) => id)

test('the best connected are shown, with what joins them', () => {
  const { nodes, edges } = bestConnected(DATA, 2, NOBODY)
  expect(ids({ nodes })).toEqual(['b', 'a'])
  expect(edges.map(({ id }) => id)).toEqual(['a-b'])
  expect(bestConnected(DATA, 8, NOBODY)).toBe(DATA)
})

test('round an entity the near ones come first', () => {
  const nodes = [
    { ...node('far', 9), depth: 2 },
    { ...node('near', 1), depth: 1 },
    node('middle', 2),
  ]
  expect(ids(ranked({ nodes, edges: [], isComplete: true }))).toEqual(['middle', 'near', 'far'])
})

test('what is looked at is shown with its neighbours, and a path by itself', () => {
  expect(ids(bestConnected(DATA, 2, { looked: ['a'], others: [] }))).toEqual(['b', 'a', 'a1', 'a2'])
  expect(ids(bestConnected(DATA, 1, { looked: ['alone'], others: [] }))).toEqual(['b', 'alone'])
  expect(ids(bestConnected(DATA, 1, { looked: [], others: ['b3'] }))).toEqual(['b', 'b3'])
})

test('of a hub with very many neighbours the best connected ones are shown', () => {
  const leaves = Array.from({ length: 500 }, (_, number) => node(`leaf ${number}`, number))
  const many = ranked({
    nodes: [node('hub', 500), ...leaves],
    edges: leaves.map(({ id }) => edge(id, 'hub')),
    isComplete: true,
  })
  const shown = ids(bestConnected(many, 1, { looked: ['hub'], others: [] }))
  expect(shown).toHaveLength(101)
  expect(shown[1]).toBe('leaf 499')
})

test('as many are offered as are told apart, then more, then all', () => {
  expect(amountsOf(1_500, 200)).toEqual([200, 800, 1_500])
  expect(amountsOf(300, 200)).toEqual([200, 300])
  expect(amountsOf(200, 200)).toEqual([200])
})
