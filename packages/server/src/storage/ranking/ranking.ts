// Keeps the best of many: highest score first, newest first within equal scores, ids last.

export type Ranked = { no: number; score: number }
type Candidate = { no: number; id: string; createdAt: number }
type Scored = { score: number; candidate: Candidate }

export class Ranking {
  readonly #limit: number
  readonly #kept: Scored[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A lower score has no place any more. */
  get scoreMin(): number {
    const isFull = this.#kept.length === this.#limit
    return isFull ? (this.#kept.at(-1)?.score ?? 0) : Number.NEGATIVE_INFINITY
  }

  offer(score: number, candidate: Candidate): void {
    const offered = { score, candidate }
    const last = this.#kept.at(-1)
    if (this.#kept.length === this.#limit && last && !isBefore(offered, last)) return
    let position = this.#kept.length
    for (let before = this.#kept[position - 1]; before; before = this.#kept[position - 1]) {
      if (!isBefore(offered, before)) break
      position -= 1
    }
    this.#kept.splice(position, 0, offered)
    if (this.#kept.length > this.#limit) this.#kept.pop()
  }

  best(): Ranked[] {
    return this.#kept.map(({ score, candidate }) => ({ no: candidate.no, score }))
  }
}

function isBefore(a: Scored, b: Scored): boolean {
  if (a.score !== b.score) return a.score > b.score
  if (a.candidate.createdAt !== b.candidate.createdAt) {
    return a.candidate.createdAt > b.candidate.createdAt
  }
  return a.candidate.id > b.candidate.id
}
