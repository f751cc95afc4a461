// The memories of a space that may be among the best, while their strengths are known only within a bound. One is
// out when it would be weaker than the limit-th even if both strengths were as far off as the bound allows.
import type { Weights } from '../../retrieval/calibration.ts'
import { scoreOf, strengthFor } from '../../retrieval/scoring.ts'

/** Far above the rounding error of sums of numbers around one. */
export const ROUNDING = 1e-9

export type Candidate = {
  createdAt: number
  /** Within the bound. */
  strength: number
  /** It may be the same text, whose score its strength does not say. */
  isMaybeSame: boolean
}

export class Candidates<Offered extends Candidate> {
  readonly #weights: Weights
  readonly #bound: number
  readonly #limit: number
  /** The greatest strengths, ascending. */
  readonly #greatest: number[] = []
  readonly #offered: Offered[] = []
  #strengthMin: number
  #scoreMin = Number.NEGATIVE_INFINITY

  /** With an infinite limit a memory is left out for the threshold alone. */
  constructor(cut: { limit: number; threshold: number }, bound: number, weights: Weights) {
    this.#limit = cut.limit
    this.#bound = bound
    this.#weights = weights
    this.#strengthMin = strengthFor(cut.threshold, weights) - bound
  }

  /** A memory that is weaker, and is not the same text, is out. */
  get strengthMin(): number {
    return this.#strengthMin
  }

  /** What is left out because others are better has a lower score than this. */
  get scoreMin(): number {
    return this.#scoreMin
  }

  /** `strength` is the least that the candidate may have, and its own the greatest, each but for the bound. */
  offer(candidate: Offered, strength: number = candidate.strength): void {
    this.#offered.push(candidate)
    if (this.#limit === Number.POSITIVE_INFINITY) return
    const greatest = this.#greatest
    if (greatest.length === this.#limit && strength <= (greatest[0] ?? 0)) return
    let place = greatest.length
    while (place > 0 && strength < (greatest[place - 1] ?? 0)) place -= 1
    greatest.splice(place, 0, strength)
    if (greatest.length > this.#limit) greatest.shift()
    if (greatest.length === this.#limit) this.#raise(greatest[0] ?? 0)
  }

  /**
   * The strongest first, after those that may be the same text as the query. Of these the newest come first,
   * as they do among results of the same score.
   */
  inOrder(): Offered[] {
    return this.#offered
      .filter(({ strength, isMaybeSame }) => isMaybeSame || strength >= this.#strengthMin)
      .sort((one, other) => {
        if (one.isMaybeSame !== other.isMaybeSame) return one.isMaybeSame ? -1 : 1
        return one.isMaybeSame ? other.createdAt - one.createdAt : other.strength - one.strength
      })
  }

  /** `limit` memories are at least as strong as `last`: what scores less than it at its weakest is not needed. */
  #raise(last: number): void {
    const score = scoreOf({ strength: last - this.#bound, cosine: 0 }, this.#weights)
    const needed = strengthFor(score, this.#weights) - this.#bound
    this.#scoreMin = Math.max(this.#scoreMin, score)
    this.#strengthMin = Math.max(this.#strengthMin, needed)
  }
}
