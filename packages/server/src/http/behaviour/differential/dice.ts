// Random choices that are the same for the same seed.

export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000) * below)
  }

  /** Whether it happens, with a probability of `percent`. */
  happens(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0]
  }

  /** The heavier, the likelier. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>, otherwise: Name): Name {
    const total = Object.values<number>(weights).reduce((sum, weight) => sum + weight, 0)
    let left = this.below(total)
    for (const name in weights) {
      left -= weights[name]
      if (left < 0) return name
    }
    return otherwise
  }
}
