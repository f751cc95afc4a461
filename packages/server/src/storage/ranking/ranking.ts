// Keeps the best of many: highest score first, newest first within equal scores, ids last.

export type Ranked = { no: number; score: number }
type Candidate = { no: number; createdAt: number }
type Scored<C> = { score: number; candidate: C }

export class Ranking<C extends Candidate> {
  readonly #limit: number
  readonly #idOf: (candidate: C) => string
  readonly #kept: Scored<C>[] = []

  /** `idOf` is asked only where score and time are equal. */
  constructor(limit: number, idOf: (candidate: C) => string) {
    this.#limit = limit
    this.#idOf = idOf
  }

  /** A lower score has no place any more. */
  get scoreMin(): number {
    const isFull = this.#kept.length === this.#limit
    return isFull ? (this.#kept.at(-1)?.score ?? 0) : Number.NEGATIVE_INFINITY
  }

  /** Whether a score that is no greater has no place any more, for whoever is not newer. */
  isClosedTo(score: number, createdAt: number): boolean {
    const last = this.#kept.at(-1)
    if (this.#kept.length < this.#limit || last === undefined) return false
    return last.score === score ? last.candidate.createdAt > createdAt : last.score > score
  }

  offer(score: number, candidate: C): void {
    const offered = { score, candidate }
    const last = this.#kept.at(-1)
    if (this.#kept.length === this.#limit && last && !this.#isBefore(offered, last)) return
    let position = this.#kept.length
    for (let before = this.#kept[position - 1]; before; before = this.#kept[position - 1]) {
      if (!this.#isBefore(offered, before)) break
      position -= 1
    }
    this.#kept.splice(position, 0, offered)
    if (this.#kept.length > this.#limit) this.#kept.pop()
  }

  best(): Ranked[] {
    return this.#kept.map(({ score, candidate }) => ({ no: candidate.no, score }))
  }

  #isBefore(a: Scored<C>, b: Scored<C>): boolean {
    if (a.score !== b.score) return a.score > b.score
    if (a.candidate.createdAt !== b.candidate.createdAt) {
      return a.candidate.createdAt > b.candidate.createdAt
    }
    return this.#idOf(a.candidate) > this.#idOf(b.candidate)
  }
}
