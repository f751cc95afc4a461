// A few at once of each asker, whose others wait in the order in which they came. No asker waits for another.
import type { Asker } from './fair-queue.ts'

type Own = { taken: number; waiting: (() => void)[] }

export class PlacesOfEach {
  readonly #atOnceMax: number
  /** Of those who have a place. */
  readonly #askers = new Map<Asker, Own>()

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  /** Resolves when the asker has a place, which `end` gives back. */
  async take(asker: Asker): Promise<void> {
    const own = this.#askers.get(asker) ?? { taken: 0, waiting: [] }
    this.#askers.set(asker, own)
    if (own.taken === this.#atOnceMax) return new Promise((resolve) => own.waiting.push(resolve))
    own.taken += 1
  }

  end(asker: Asker): void {
    const own = this.#askers.get(asker)
    if (own === undefined) return
    const next = own.waiting.shift()
    if (next === undefined) own.taken -= 1
    else next()
    if (own.taken === 0) this.#askers.delete(asker)
  }
}
