import { expect, test } from 'vitest'
import { layAlong, spread } from './framing.ts'

function extent(places: Float32Array) {
  const range = (part: number) => {
    const values = [...places].filter((_, index) => index % 2 === part)
    return Math.max(...values) - Math.min(...values)
  }
  return { width: range(0), height: range(1) }
}
const COLUMN = [0, 0, 10, 40, -10, 80, 5, 120]

test('what is tall lies along a wide canvas, and what is wide stands in a narrow one', () => {
  const wide = Float32Array.from(COLUMN)
  layAlong(wide, 2)
  expect(extent(wide).width).toBeGreaterThan(3 * extent(wide).height)
  const again = Float32Array.from(wide)
  layAlong(again, 2)
  for (const [index, value] of again.entries()) expect(value).toBeCloseTo(wide[index] ?? 0, 3)
  layAlong(wide, 0.5)
  expect(extent(wide).height).toBeGreaterThan(3 * extent(wide).width)
})

test('places are stretched to the canvas, as far as distances stay true', () => {
  const square = Float32Array.from([0, 0, 10, 0, 10, 10, 0, 10])
  spread(square, 2)
  expect(extent(square)).toEqual({ width: 20, height: 10 })
  spread(square, 1)
  expect(extent(square)).toEqual({ width: 20, height: 20 })
  spread(square, 100)
  expect(extent(square).width / extent(square).height).toBeCloseTo(2.2, 3)
})

test('a single place, and places in one line, stay finite', () => {
  for (const places of [[3, 4], [], [0, 0, 0, 0], [0, 1, 5, 1]]) {
    const framed = Float32Array.from(places)
    layAlong(framed, 2)
    spread(framed, 2)
    expect([...framed].every(Number.isFinite)).toBe(true)
  }
})
