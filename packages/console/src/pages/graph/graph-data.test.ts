// Answers that overlap become one picture: each entity and relation once, one line between two entities, and
// no relation without both its ends.
import { expect, test } from 'vitest'
import type { GraphEdge, GraphNode } from '../../api/contract.ts'
import { lines, merged, without } from './graph-data.ts'

const node = (id: string, type: GraphNode['type'] = 'PERSON'): GraphNode => ({
  id,
  name: id,
  type,
  degree: 1,
  depth: 0,
})
const edge = (id: string, sourceId: string, targetId: string, type = 'KNOWS'): GraphEdge => ({
  id,
  sourceId,
  targetId,
  type,
})

test('neighbourhoods that overlap show each entity and relation once', () => {
  const one = { nodes: [node('a'), node('b')], edges: [edge('1', 'a', 'b')], isComplete: true }
  const two = {
    nodes: [node('b'), node('c')],
    edges: [edge('1', 'a', 'b'), edge('2', 'b', 'c')],
    isComplete: false,
  }
  const { nodes, edges, isComplete } = merged([one, two])
  expect(nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(edges.map(({ id }) => id)).toEqual(['1', '2'])
  expect(isComplete).toBe(false)
})

test('relations between the same two become one line with every type, both ways', () => {
  const all = lines([
    edge('1', 'a', 'b', 'KNOWS'),
    edge('2', 'a', 'b', 'WORKS_FOR'),
    edge('3', 'a', 'b', 'KNOWS'),
    edge('4', 'b', 'a', 'EMPLOYS'),
    edge('5', 'b', 'c', 'KNOWS'),
    edge('6', 'c', 'c', 'KNOWS'),
  ])
  expect(all.map(({ label, isBothWays }) => [label, isBothWays])).toEqual([
    ['KNOWS, WORKS_FOR ⇄ EMPLOYS', true],
    ['KNOWS', false],
  ])
})

test('a hidden type takes its relations along', () => {
  const data = {
    nodes: [node('a'), node('b', 'EVENT')],
    edges: [edge('1', 'a', 'b')],
    isComplete: true,
  }
  const { nodes, edges } = without(data, new Set(['EVENT']))
  expect(nodes.map(({ id }) => id)).toEqual(['a'])
  expect(edges).toEqual([])
})
