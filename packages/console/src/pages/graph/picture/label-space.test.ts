// Where a label may stand in the picture of a graph: beside its node, inside the picture, over no other label.
import { expect, test } from 'vitest'
import { along, around, LabelSpace, placesAround } from './label-space.ts'

const SIZE = { width: 60, height: 16 }

test('a label fits where nothing is yet, inside the picture alone', () => {
  const space = new LabelSpace()
  space.clear({ width: 200, height: 100 })
  const box = around({ x: 100, y: 50 }, SIZE)
  expect(space.isFree([box])).toBe(true)
  expect(space.isFree([around({ x: 20, y: 50 }, SIZE)])).toBe(false)
  space.take([box])
  expect(space.isFree([around({ x: 140, y: 60 }, SIZE)])).toBe(false)
  expect(space.isFree([around({ x: 100, y: 70 }, SIZE)])).toBe(true)
  space.clear({ width: 200, height: 100 })
  expect(space.isFree([box])).toBe(true)
})

test('what weighs less may be covered, and what nothing weighs may not', () => {
  const space = new LabelSpace()
  space.clear({ width: 400, height: 400 })
  // Over several squares of the picture, and beyond it.
  space.take([{ left: -900, top: 100, right: 300, bottom: 140 }], 5)
  const box = around({ x: 250, y: 120 }, SIZE)
  expect([0, 5, 6].map((weight) => space.isFree([box], weight))).toEqual([false, false, true])
  space.take([box])
  expect(space.isFree([box], Infinity)).toBe(false)
})

test('the places around a node do not touch it', () => {
  const space = new LabelSpace()
  space.clear({ width: 400, height: 400 })
  const node = { x: 200, y: 200, size: 10 }
  space.take([around(node, { width: 20, height: 20 })])
  const places = placesAround(node, SIZE)
  expect(places).toHaveLength(4)
  for (const place of places) expect(space.isFree([around(place, SIZE)])).toBe(true)
})

test('a label that has to be shown is inside the picture, free or not', () => {
  const space = new LabelSpace()
  space.clear({ width: 200, height: 100 })
  const forced = (x: number, y: number, size = SIZE) =>
    space.forced(placesAround({ x, y, size: 10 }, size), size)
  space.take([around({ x: 100, y: 50 }, { width: 200, height: 100 })])
  // Below, above where the edge is below, and beside it in a corner.
  expect(forced(100, 50)).toEqual({ x: 100, y: 71 })
  expect(forced(100, 95)).toEqual({ x: 100, y: 74 })
  expect(forced(8, 8)).toEqual({ x: 51, y: 8 })
  // Nowhere whole: as much to the side as it takes.
  expect(forced(50, 50, { width: 160, height: 16 })).toEqual({ x: 80, y: 71 })
  expect(forced(150, 50, { width: 160, height: 16 })).toEqual({ x: 120, y: 71 })
})

test('a text along a line takes the room of its ends, and not the corners beside it', () => {
  const space = new LabelSpace()
  space.clear({ width: 400, height: 400 })
  space.take(along({ x: 200, y: 200 }, Math.PI / 4, { width: 140, height: 14 }))
  const at = (x: number, y: number) => space.isFree([around({ x, y }, { width: 4, height: 4 })])
  expect(at(244, 244)).toBe(false)
  expect(at(156, 156)).toBe(false)
  expect(at(200, 200)).toBe(false)
  expect(at(244, 156)).toBe(true)
  expect(at(260, 260)).toBe(true)
})
