// How well a calibrated score does on rated pairs.
import { RELATED_MIN, UNRELATED_MAX } from './fit.ts'

type RatedScore = { score: number; rating: number }

export type Figures = {
  pairs: number
  /** Agreement of the order by score with the order by rating, from -1 to 1. */
  spearman: number
  /** Of the related pairs, the share at or above the default threshold. */
  relatedFound: number
  /** Of the unrelated pairs, the share at or above the default threshold. */
  unrelatedFound: number
}

export const figuresOf = (pairs: readonly RatedScore[], threshold: number): Figures => ({
  pairs: pairs.length,
  spearman: correlation(
    ranksOf(pairs.map(({ score }) => score)),
    ranksOf(pairs.map(({ rating }) => rating)),
  ),
  relatedFound: shareFound(
    pairs.filter(({ rating }) => rating >= RELATED_MIN),
    threshold,
  ),
  unrelatedFound: shareFound(
    pairs.filter(({ rating }) => rating <= UNRELATED_MAX),
    threshold,
  ),
})

const shareFound = (pairs: readonly RatedScore[], threshold: number): number =>
  pairs.filter(({ score }) => score >= threshold).length / pairs.length

/** Equal values share the mean of their ranks. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  const rankOf = new Map<number, number>()
  for (const value of new Set(values)) {
    rankOf.set(value, (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
  }
  return values.map((value) => rankOf.get(value) ?? 0)
}

/** Of ranks, whose mean is half of the last one. */
function correlation(first: readonly number[], second: readonly number[]): number {
  const middle = (first.length - 1) / 2
  const product = (one: readonly number[], other: readonly number[]): number =>
    one.reduce((sum, rank, index) => sum + (rank - middle) * ((other[index] ?? middle) - middle), 0)
  return product(first, second) / Math.sqrt(product(first, first) * product(second, second))
}
