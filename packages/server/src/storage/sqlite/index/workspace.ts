// What the indexes of a thread share: the memory of the codes, and room for what a search computes on
// its way. A thread does one search at a time, and memory that was touched before is several times
// faster than fresh one.
import { CodeMemory } from './scan/code-memory.ts'

class Room {
  #numbers = new Float64Array(0)

  /** Holds whatever the last user left. */
  of(length: number): Float64Array {
    if (this.#numbers.length < length) this.#numbers = new Float64Array(Math.ceil(length * 1.25))
    return this.#numbers
  }

  zeros(length: number): Float64Array {
    return this.of(length).fill(0, 0, length)
  }
}

export class Workspace {
  readonly memory = new CodeMemory()
  /** By row. */
  readonly cosines = new Room()
  /** By place among the memories that are looked at. */
  readonly meanings = new Room()
  readonly nearest = new Room()
}
