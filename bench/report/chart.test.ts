// The chart shows each figure that was measured, once and where its axes say, with labels that can be read.
import { expect, test } from 'vitest'
import { chartOf } from './chart.ts'
import type { Figure } from './figure.ts'

const figure = (who: string, filter: string, memories: number, value?: number): Figure => ({
  row: 'search',
  name: who,
  unit: 'ms',
  value,
  point: { who, filter, memories },
})
const chart = chartOf([
  figure('Mnemograph', 'no filter', 10_000, 0.5),
  figure('Mnemograph', 'no filter', 1_000_000, 5),
  figure('sqlite-vec', 'no filter', 10_000, 6),
  figure('sqlite-vec', 'no filter', 1_000_000, 600),
  figure('Chroma', 'two tags, 6 %', 100_000, 130),
  figure('LanceDB', 'no filter', 10_000),
])

test('every measured latency is a marker that says whose it is and how much', () => {
  expect(chart.match(/<title>[^<]* memories: /g)).toHaveLength(5)
  expect(chart).toContain('<title>sqlite-vec, 1,000,000 memories: 600 ms</title>')
  expect(chart).not.toContain('LanceDB')
})

test('ten times as slow is as far up the axis anywhere: both axes are logarithmic', () => {
  const path = /class="line c0 own" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/.exec(chart) ?? []
  const second = /class="line c1" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/.exec(chart)
  const rise = Number(path[2]) - Number(path[4])
  const riseOfPeer = Number(second?.[2]) - Number(second?.[4])
  expect(rise).toBeGreaterThan(0)
  expect(riseOfPeer / rise).toBeCloseTo(2, 1)
})

test('labels of lines that end together do not overlap', () => {
  const near = chartOf([
    figure('Mnemograph', 'no filter', 10_000, 5),
    figure('sqlite-vec', 'no filter', 10_000, 5.1),
    figure('Chroma', 'no filter', 10_000, 5.2),
  ])
  const heights = [...near.matchAll(/class="label[^>]* y="([\d.]+)"/g)].map(([, y]) => Number(y))
  const sorted = heights.toSorted((a, b) => a - b)
  expect(sorted).toHaveLength(3)
  for (const [place, y] of sorted.entries()) {
    if (place > 0) expect(y - (sorted[place - 1] ?? 0)).toBeGreaterThanOrEqual(14.9)
  }
})

test('without any figure there is still a chart', () => {
  expect(chartOf([])).toContain('</svg>')
})

test('of two figures for the same point the later one counts', () => {
  const twice = chartOf([
    figure('Mnemograph', 'no filter', 10_000, 5),
    figure('Mnemograph', 'no filter', 10_000, 4),
  ])
  expect(twice.match(/ memories: /g)).toHaveLength(1)
  expect(twice).toContain('10,000 memories: 4 ms')
})
