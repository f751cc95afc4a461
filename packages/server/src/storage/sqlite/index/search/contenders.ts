// The candidates of a search in the order in which they are scored: next is the one that may be the strongest,
// its strength being known within a bound. At first the bound is `rough`: the points of words are rounded, which
// adds up over the thousands of words of a long query, and a memory of several pieces counts as having the words
// of all of them. Before rows-ranking.ts reads a vector it may look at the words of each piece: then the bound is
// `close`, and the memory waits until its turn comes again. decisions/2026-11-21-search-at-scale.md
import type { Candidate } from '../../../ranking/candidates.ts'

/** All that is asked of a memory later: by then its rows may be those of another one. */
export type Offered = Candidate & {
  no: number
  isOneRow: boolean
  isOnePiece: boolean
  /** What it has besides the words of its pieces. */
  withoutWords: number
}

/**
 * How far strengths lie at most from the exact ones: while words are known roughly, and then. Where bounds are
 * only likely ones, some lie further.
 */
export type Bounds = { rough: number; close: number; areLikely: boolean }

export type Contender = {
  candidate: Offered
  strength: number
  bound: number
  isClose: boolean
}

export class Contenders {
  readonly #rough: readonly Offered[]
  readonly #bounds: Bounds
  #next = 0
  /** The weakest first. */
  readonly #close: { candidate: Offered; strength: number }[] = []

  /** In the order of `Candidates`: the very text of the query comes before any memory that waits. */
  constructor(rough: readonly Offered[], bounds: Bounds) {
    this.#rough = rough
    this.#bounds = bounds
  }

  /** Undefined when there is none left. */
  next(): Contender | undefined {
    const { rough, close } = this.#bounds
    const candidate = this.#rough[this.#next]
    const closest = this.#close.at(-1)
    const isRough =
      candidate !== undefined &&
      (closest === undefined || candidate.strength + rough >= closest.strength + close)
    if (isRough) {
      this.#next += 1
      return { candidate, strength: candidate.strength, bound: rough, isClose: false }
    }
    if (closest === undefined) return undefined
    this.#close.pop()
    return { ...closest, bound: close, isClose: true }
  }

  /** With the strength that it has with the words of the piece that has most of them. */
  bringCloser(candidate: Offered, strength: number): void {
    let low = 0
    let high = this.#close.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#close[middle]?.strength ?? 0) < strength) low = middle + 1
      else high = middle
    }
    this.#close.splice(low, 0, { candidate, strength })
  }
}
