// Names keep clear of the nodes as they stand when names are written, which sigma settles only after it
// has said that it begins.
import { expect, test } from 'vitest'
import type { Colours } from './colours.ts'
import { Labels } from './labels.ts'

const FONTS = {
  labelSize: 13,
  labelFont: 'sans-serif',
  labelWeight: '400',
  edgeLabelSize: 11,
  edgeLabelFont: 'sans-serif',
}
const COLOURS: Colours = {
  ...{ text: 'black', quiet: 'grey', raised: 'white', line: 'grey', edge: 'grey', accent: 'blue' },
  types: {
    ...{ PERSON: 'red', ORGANIZATION: 'red', LOCATION: 'red', PRODUCT: 'red' },
    ...{ EVENT: 'red', CONCEPT: 'red', OTHER: 'red' },
  },
}

const PLAIN = { forceLabel: false, zIndex: 1 }
const controls = { left: 380, top: 380, right: 400, bottom: 400 }

/** As much of a canvas as writing needs; tells where each text was written. */
function canvas() {
  const written = new Map<string, { x: number; y: number; colour: string }>()
  const context = {
    fillStyle: '',
    measureText: (text: string) => ({ width: text.length * 7 }),
    strokeText: () => {},
    fillText: (text: string, x: number, y: number) =>
      written.set(text, { x, y, colour: context.fillStyle }),
  }
  return { written, context: context as unknown as CanvasRenderingContext2D }
}

const SURROUNDED = [
  [0, 18],
  [0, -18],
  [36, 0],
  [-36, 0],
] as const

test('a hub is named over the lesser nodes round it, and these are not', () => {
  const hub = { key: 'hub', label: 'Hub', ...PLAIN, x: 200, y: 200, size: 9 }
  const around = (middle: { x: number; y: number }, size: number) =>
    SURROUNDED.map(([x, y]) => ({ x: middle.x + x, y: middle.y + y, size }))
  const names = (size: number) => {
    const nodes = [hub, ...around(hub, size)]
    const labels = new Labels(
      () => COLOURS,
      () => ({ size: { width: 400, height: 400 }, nodes, controls }),
    )
    const { written, context } = canvas()
    labels.begin()
    labels.drawNode(context, hub, FONTS)
    labels.finish()
    return [...written.keys()]
  }
  expect(names(6)).toEqual(['Hub'])
  expect(names(9)).toEqual([])
})

test('the name of a dim node is written in the room that is left, and quietly', () => {
  const near = { key: 'near', label: 'Near', ...PLAIN, x: 200, y: 200, size: 5 }
  const dim = { key: 'dim', label: 'Dim', ...PLAIN, zIndex: 0, x: 200, y: 232, size: 9 }
  const labels = new Labels(
    () => COLOURS,
    () => ({ size: { width: 400, height: 400 }, nodes: [near, dim], controls }),
  )
  const { written, context } = canvas()
  labels.begin()
  for (const node of [dim, near]) labels.drawNode(context, node, FONTS)
  labels.finish()
  expect([...written].map(([name, { colour }]) => [name, colour])).toEqual([
    ['Near', 'black'],
    ['Dim', 'grey'],
  ])
})

test('a name goes above its node when another one has come to stand below it', () => {
  const node = { key: 'a', label: 'Anna', ...PLAIN, x: 100, y: 100, size: 6 }
  let nodes = [node, { x: 9_000, y: 9_000, size: 6 }]
  const labels = new Labels(
    () => COLOURS,
    () => ({
      size: { width: 400, height: 400 },
      nodes,
      controls,
    }),
  )
  const { written, context } = canvas()
  labels.begin()
  nodes = [node, { x: 100, y: 118, size: 6 }]
  labels.drawNode(context, node, FONTS)
  labels.finish()
  expect(written.get('Anna')?.y).toBeLessThan(100)
})
