// Where the border between related and unrelated lies, and how sharp it is, once the weights are known.
import type { Calibration } from './evidence.ts'

type Weights = Calibration['asking']

const SHARPNESSES = Array.from({ length: 36 }, (_, index) => index + 5)
/** Scores have four decimals. */
const SCORE_MIN = 0.0001

/** How far from the border the evidence with this score lies, in units of cosine. */
const distanceOf = (score: number, sharpness: number): number => {
  const inside = Math.min(1 - SCORE_MIN, Math.max(SCORE_MIN, score))
  return Math.log(inside / (1 - inside)) / sharpness
}

/** Moves the border so that what scores `cut` now will score one half. */
export const withBorderAt = (cut: number, weights: Weights): Weights => {
  const border = weights.border + distanceOf(cut, weights.sharpness)
  return { ...weights, border: Math.ceil(border * 1_000) / 1_000 }
}

/**
 * The likeliest sharpness if a score is the probability of being related: a logistic regression of one
 * variable whose border is known. It moves nothing across the threshold.
 */
export function withLikeliestSharpness(
  { related, unrelated }: { related: readonly number[]; unrelated: readonly number[] },
  weights: Weights,
): Weights {
  const distances = (scores: readonly number[]): number[] =>
    scores.map((score) => distanceOf(score, weights.sharpness))
  const signed = [...distances(related), ...distances(unrelated).map((distance) => -distance)]
  const loss = (sharpness: number): number =>
    signed.reduce((sum, distance) => sum + Math.log(1 + Math.exp(-sharpness * distance)), 0)
  const losses = SHARPNESSES.map((sharpness) => ({ sharpness, loss: loss(sharpness) }))
  const best = losses.reduce((least, one) => (one.loss < least.loss ? one : least))
  return { ...weights, sharpness: best.sharpness }
}
