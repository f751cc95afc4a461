/** A sequence that its seed repeats: xorshift, good enough to vary what a run does. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) | 1
  }

  /** A whole number from 0 on, below the bound. */
  below(bound: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % bound
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(Math.max(1, items.length))]
  }
}
