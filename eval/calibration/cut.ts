// The cut at which hardly any stranger's question finds anything, and the share of the evidence above it,
// which makes scores with different constants comparable.
import { shareOf } from '../statistics/metrics.ts'
import type { JudgedScores } from './asked.ts'

/** Scores have four decimals. */
const NEXT_ABOVE = 0.0001

/** The lowest cut at which at most this share of the values is at or above it. */
export function cutAt(values: readonly number[], shareMax: number): number {
  const sorted = [...values].sort((a, b) => b - a)
  const above = sorted[Math.floor(shareMax * sorted.length)]
  return above === undefined ? 0 : above + NEXT_ABOVE
}

/** Leaves out conversations that share a speaker's name, where a find is not false. */
export const falseCut = (judged: readonly JudgedScores[], falseMax: number): number =>
  cutAt(
    judged.filter(({ hasCommonName }) => !hasCommonName).map((one) => one.bestElsewhere),
    falseMax,
  )

export const keptAt = (judged: readonly JudgedScores[], cut: number): number =>
  shareOf(
    judged.flatMap(({ evidenceScores }) => evidenceScores),
    (score) => score >= cut,
  )
