// From numbers to numbers, where a million entries must take few bytes and no garbage collection:
// open addressing with linear probing.
import type { CopyReader, CopyWriter, Reading } from './copy-file.ts'

const EMPTY = -1
const FIRST_PLACES = 16
const FILLED_MAX = 0.7

export class NumberMap {
  #size = 0
  #keys = new Float64Array(FIRST_PLACES).fill(EMPTY)
  #values = new Int32Array(FIRST_PLACES)

  get bytes(): number {
    return this.#keys.byteLength + this.#values.byteLength
  }

  get size(): number {
    return this.#size
  }

  /** The key is at least zero, and is not there yet. */
  add(key: number, value: number): void {
    if (this.#size + 1 > this.#keys.length * FILLED_MAX) this.#grow()
    this.#put(key, value)
    this.#size += 1
  }

  find(key: number): number | undefined {
    const last = this.#keys.length - 1
    for (let place = homeOf(key) & last; ; place = (place + 1) & last) {
      if (this.#keys[place] === key) return this.#values[place]
      if (this.#keys[place] === EMPTY) return undefined
    }
  }

  /** Nothing happens when the key has another value. */
  remove(key: number, value: number): void {
    const last = this.#keys.length - 1
    let gap = homeOf(key) & last
    while (this.#keys[gap] !== key || this.#values[gap] !== value) {
      if (this.#keys[gap] === EMPTY) return
      gap = (gap + 1) & last
    }
    // An entry that was pushed past the gap moves into it, so that no tombstones are needed.
    for (let place = (gap + 1) & last; this.#keys[place] !== EMPTY; place = (place + 1) & last) {
      const wanted = homeOf(this.#keys[place] ?? 0) & last
      if (((place - wanted) & last) < ((place - gap) & last)) continue
      this.#keys[gap] = this.#keys[place] ?? EMPTY
      this.#values[gap] = this.#values[place] ?? 0
      gap = place
    }
    this.#keys[gap] = EMPTY
    this.#values[gap] = 0
    this.#size -= 1
  }

  save(to: CopyWriter): void {
    to.numbers(this.#size)
    to.array(this.#keys)
    to.array(this.#values)
  }

  *restore(from: CopyReader): Reading {
    const [size = 0] = from.numbers()
    this.#size = size
    this.#keys = yield* from.array(Float64Array)
    this.#values = yield* from.array(Int32Array)
  }

  #put(key: number, value: number): void {
    const last = this.#keys.length - 1
    let place = homeOf(key) & last
    while (this.#keys[place] !== EMPTY) place = (place + 1) & last
    this.#keys[place] = key
    this.#values[place] = value
  }

  #grow(): void {
    const keys = this.#keys
    const values = this.#values
    this.#keys = new Float64Array(keys.length * 2).fill(EMPTY)
    this.#values = new Int32Array(keys.length * 2)
    for (const [place, key] of keys.entries()) if (key !== EMPTY) this.#put(key, values[place] ?? 0)
  }
}

/** Numbers in a row must not stand in a row: removing one would move many. */
function homeOf(key: number): number {
  const low = (key % 4_294_967_296) | 0
  const high = Math.floor(key / 4_294_967_296) | 0
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
