// Sums that many operations add to, such as a key's operations of a month. An operation only notes
// its share; the sums are written once for all operations of a commit, in its transaction. So they
// are as exact as if each had written its own, for a fraction of the cost.
import type { Notes } from './group-commit.ts'

/** `Place` is what a sum belongs to, as the columns of its primary key. */
export class Tally<Place extends readonly (string | number)[]> implements Notes {
  readonly #write: (place: Place, amount: number) => void
  readonly #noted: { place: Place; amount: number }[] = []

  /** `write` adds an amount to the sum in the database. */
  constructor(write: (place: Place, amount: number) => void) {
    this.#write = write
  }

  mark(): number {
    return this.#noted.length
  }

  /** Forgets the latest: those of an operation that is undone. */
  undoTo(mark: number): void {
    this.#noted.length = mark
  }

  note(place: Place, amount: number): void {
    this.#noted.push({ place, amount })
  }

  /** In the order of the places, so that neighbours in the table are written one after the other. */
  settle(): void {
    const sums = new Map<string, { place: Place; amount: number }>()
    for (const { place, amount } of this.#noted) {
      const key = place.join('\0')
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, { place, amount })
      else sum.amount += amount
    }
    for (const key of [...sums.keys()].sort()) {
      const sum = sums.get(key)
      if (sum !== undefined && sum.amount !== 0) this.#write(sum.place, sum.amount)
    }
    this.#noted.length = 0
  }
}
