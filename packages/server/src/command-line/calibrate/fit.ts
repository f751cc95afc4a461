// Carries the cosines of a model to the scale of the bundled one, which the score was fitted to: the
// mean of the related pairs and the mean of the unrelated ones come to lie where they lie with the
// bundled model. Two means always exist and cannot run away, however few or easy the pairs are.
// decisions/2026-11-21-model-manifest.md
import { UsageFailure } from '../failure.ts'

export type RatedCosine = { cosine: number; rating: number }
type CosineScale = { scale: number; offset: number }

export const RELATED_MIN = 4
export const UNRELATED_MAX = 1
const PAIRS_MIN = 20
/** With this many pairs, chance sets the means of two equal groups apart by a third of that. */
const SPREADS_MIN = 1

/** The means of the bundled model on the training part of the STS benchmark. */
const RELATED_MEAN = 0.91
const UNRELATED_MEAN = 0.544

/** Throws a UsageFailure when there are too few pairs of either kind. */
export function expectBothKinds(pairs: readonly { rating: number }[]): void {
  const related = pairs.filter(isRelated).length
  const unrelated = pairs.filter(isUnrelated).length
  if (related >= PAIRS_MIN && unrelated >= PAIRS_MIN) return
  throw new UsageFailure(
    `There must be at least ${PAIRS_MIN} related pairs (rated ${RELATED_MIN} or more) and as ` +
      `many unrelated ones (rated ${UNRELATED_MAX} or less), and there are ${related} and ` +
      `${unrelated}.`,
  )
}

/** Throws a UsageFailure when the pairs cannot tell. */
export function fitCosineScale(pairs: readonly RatedCosine[]): CosineScale {
  expectBothKinds(pairs)
  const related = pairs.filter(isRelated)
  const unrelated = pairs.filter(isUnrelated)
  const distance = meanOf(related) - meanOf(unrelated)
  const spread = Math.sqrt((varianceOf(related) + varianceOf(unrelated)) / 2)
  if (!(distance > 0 && distance >= SPREADS_MIN * spread)) {
    throw new UsageFailure(
      'The model puts unrelated pairs as near to each other as related ones: it does not ' +
        'understand these texts, or, if it is a local one, its pooling or prefixes are wrong.',
    )
  }
  const scale = (RELATED_MEAN - UNRELATED_MEAN) / distance
  const offset = UNRELATED_MEAN - scale * meanOf(unrelated)
  return { scale: rounded(scale), offset: rounded(offset) }
}

const isRelated = ({ rating }: { rating: number }): boolean => rating >= RELATED_MIN
const isUnrelated = ({ rating }: { rating: number }): boolean => rating <= UNRELATED_MAX

const meanOf = (pairs: readonly RatedCosine[]): number =>
  pairs.reduce((sum, { cosine }) => sum + cosine, 0) / pairs.length

function varianceOf(pairs: readonly RatedCosine[]): number {
  const mean = meanOf(pairs)
  return pairs.reduce((sum, { cosine }) => sum + (cosine - mean) ** 2, 0) / pairs.length
}

const rounded = (value: number): number => Number(value.toFixed(4))
