// Random choices that are the same for the same seed.
import { wholeNumbers } from '../../../testing/random-numbers.ts'

export class Dice {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number

  constructor(seed: number) {
    this.below = wholeNumbers(seed)
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
