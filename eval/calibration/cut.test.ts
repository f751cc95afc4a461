import { expect, test } from 'vitest'
import type { JudgedScores } from './asked.ts'
import { cutAt, falseCut, keptAt } from './cut.ts'

test('a cut lets through at most the share that it may, and no more than needed less', () => {
  const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
  for (const share of [0, 0.1, 0.25, 0.5]) {
    const cut = cutAt(values, share)
    const through = values.filter((value) => value >= cut).length / values.length
    expect(through).toBeLessThanOrEqual(share)
    expect(through).toBeGreaterThan(share - 0.1)
  }
})

test('finds among people of the same name do not move the cut', () => {
  const judged = (bestElsewhere: number, hasCommonName: boolean): JudgedScores => ({
    conversation: 'a',
    recall: 1,
    ndcg: 1,
    evidenceScores: [0.5, 0.9],
    bestElsewhere,
    hasCommonName,
  })
  const all = [judged(0.6, false), judged(0.95, true)]
  expect(falseCut(all, 0)).toBeCloseTo(0.6)
  expect(keptAt(all, falseCut(all, 0))).toBe(0.5)
})
