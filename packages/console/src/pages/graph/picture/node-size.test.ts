import { expect, test } from 'vitest'
import { radiusOf, scaleFor } from './node-size.ts'

const WIDE = { width: 1_200, height: 540 }

test('nodes leave most of the picture free, however many there are', () => {
  for (const nodes of [1, 50, 300, 1_500, 5_000]) {
    const covered = nodes * (2 * radiusOf(4, 30, scaleFor(nodes, WIDE))) ** 2
    expect(covered / (WIDE.width * WIDE.height), String(nodes)).toBeLessThan(0.2)
  }
  expect(scaleFor(200, WIDE)).toBe(1)
  expect(scaleFor(300, { width: 360, height: 500 })).toBeLessThan(0.7)
})

test('one with more relations is larger, and none vanishes', () => {
  for (const scale of [1, 0.3]) {
    expect(radiusOf(20, 20, scale)).toBeGreaterThan(1.5 * radiusOf(1, 20, scale))
  }
  // Also among hubs, and none of a few is as large as a hub.
  expect(radiusOf(200, 200, 1)).toBeGreaterThan(1.5 * radiusOf(30, 200, 1))
  expect(radiusOf(3, 3, 1)).toBeLessThan(0.7 * radiusOf(200, 200, 1))
  expect(radiusOf(5_000, 5_000, 1)).toBe(radiusOf(50, 50, 1))
  expect(radiusOf(0, 0, 0.01)).toBeGreaterThan(1)
  expect(scaleFor(0, { width: 0, height: 0 })).toBe(0)
})
