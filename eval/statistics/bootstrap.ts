// How far a figure could be off by chance: the percentile bootstrap. The seed is fixed, so that two runs over
// the same answers print the same interval.
import { randomNumbers } from './random-numbers.ts'

/** A figure with its 95 % confidence interval. */
export type Estimate = { value: number; low: number; high: number }

const RESAMPLES = 1_000
const SEED = 20_251_121

/** Computes `figure` of the items, and of samples of the same size drawn with replacement. */
export function bootstrap<Item>(
  items: readonly Item[],
  figure: (items: readonly Item[]) => number,
): Estimate {
  const random = randomNumbers(SEED)
  const values = Array.from({ length: RESAMPLES }, () =>
    figure(items.map((item) => items[Math.floor(random() * items.length)] ?? item)),
  )
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b)
  const at = (share: number): number => values[Math.floor(share * values.length)] ?? Number.NaN
  return { value: figure(items), low: at(0.025), high: at(0.975) }
}
