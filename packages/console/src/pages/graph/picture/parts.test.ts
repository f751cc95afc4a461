import Graph from 'graphology'
import { expect, test } from 'vitest'
import { pack, partsOf } from './parts.ts'

test('the parts of a graph are what its relations join, the largest first', () => {
  const graph = new Graph({ type: 'undirected' })
  for (const node of ['a', 'b', 'c', 'd', 'e', 'f']) graph.addNode(node, { x: 1, y: 2 })
  for (const [source, target] of [
    ['b', 'd'],
    ['e', 'c'],
    ['d', 'e'],
  ]) {
    graph.addEdge(source, target)
  }
  graph.addEdge('f', 'f')
  const parts = partsOf(graph)
  expect(parts.map((part) => part.nodes().toSorted().join(''))).toEqual(['bcde', 'a', 'f'])
  expect(parts.map((part) => part.size)).toEqual([3, 0, 1])
  expect(parts[0]?.getNodeAttributes('c')).toEqual({ x: 1, y: 2 })
})

/** A grid of nodes at a distance of 10 from each other. */
const grid = (across: number, down: number, { x = 0, y = 0, distance = 10 } = {}) =>
  Float32Array.from(
    Array.from({ length: across * down }, (_, index) => [
      x + (index % across) * distance,
      y + Math.floor(index / across) * distance,
    ]).flat(),
  )

function boxOf(places: Float32Array) {
  const of = (part: number) => [...places].filter((_, index) => index % 2 === part)
  const [xs, ys] = [of(0), of(1)]
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  }
}

test.each([2.5, 1, 0.6])(
  'parts lie beside one another in the shape of a canvas of %d to 1, and none covers another',
  (aspect) => {
    const parts = [
      grid(20, 20),
      ...Array.from({ length: 12 }, () => grid(3, 2, { x: 50, y: 50, distance: 900 })),
      ...Array.from({ length: 40 }, () => grid(2, 1, { x: 70 })),
      ...Array.from({ length: 90 }, () => grid(1, 1, { x: 90, y: 90 })),
    ]
    pack(parts, aspect)
    const boxes = parts.map(boxOf)
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const isBeside = one.right < other.left || other.right < one.left
        const isBelow = one.bottom < other.top || other.bottom < one.top
        expect(isBeside || isBelow).toBe(true)
      }
    }
    const whole = boxOf(Float32Array.from(parts.flatMap((part) => [...part])))
    const shape = (whole.right - whole.left) / (whole.bottom - whole.top)
    expect(shape / aspect).toBeGreaterThan(0.7)
    expect(shape / aspect).toBeLessThan(1.4)
  },
)

test('the nodes of a small part are about as far apart as those of the large one', () => {
  const [large, small] = [grid(10, 10), grid(2, 2, { distance: 0.001 })]
  pack([large, small], 2)
  expect(boxOf(large).right - boxOf(large).left).toBeCloseTo(90, 3)
  const { left, right } = boxOf(small)
  expect(right - left).toBeGreaterThan(5)
  expect(right - left).toBeLessThan(20)
})

test('a single node, nodes without any relation, and none at all stay finite', () => {
  for (const parts of [[], [grid(1, 1)], [grid(1, 1), grid(1, 1)], [new Float32Array(4)]]) {
    pack(parts, 2)
    expect(parts.flatMap((part) => [...part]).every(Number.isFinite)).toBe(true)
  }
})
