// Many lists of numbers in one typed array: most have one or two entries, a few have thousands. A list
// is a chain of blocks, each twice as large as the one before, so that short ones are small, long ones
// are read from front to back, and none is ever copied to grow. Their order says nothing.

import type { CopyReader, CopyWriter, Reading } from './copy-file.ts'
import { withRoom } from './slots.ts'

/** Of a list without entries: where its chain begins and ends. */
export const NONE = 0xffffffff
/** In front of the entries of a block: which comes next, how many entries it has. */
const HEADER = 2
const FIRST_SIZE = 4
const SIZE_MAX = 1_024

/** Where the chain of a list begins and ends, and how many entries it has. */
export type NumberList = { first: number; last: number; count: number }

export const emptyList = (): NumberList => ({ first: NONE, last: NONE, count: 0 })

export class NumberLists {
  #pool = new Uint32Array(0)
  #end = 0
  /** Blocks that nobody uses, by their size. */
  readonly #free = new Map<number, number[]>()

  get bytes(): number {
    return this.#pool.byteLength
  }

  add(list: NumberList, entry: number): void {
    if (list.last === NONE || this.#isFull(list)) this.#append(list)
    const used = this.#usedIn(list.last)
    this.#pool[list.last + HEADER + used] = entry
    this.#pool[list.last + 1] = ((this.#pool[list.last + 1] ?? 0) & ~0xffff) | (used + 1)
    list.count += 1
  }

  /** The last entry takes the place of the one that goes. False when it is not there. */
  remove(list: NumberList, entry: number): boolean {
    const at = this.#find(list, entry)
    if (at === undefined) return false
    const used = this.#usedIn(list.last) - 1
    this.#pool[at] = this.#pool[list.last + HEADER + used] ?? 0
    this.#pool[list.last + 1] = ((this.#pool[list.last + 1] ?? 0) & ~0xffff) | used
    list.count -= 1
    if (used === 0) this.#dropLast(list)
    return true
  }

  read(list: NumberList): Uint32Array {
    const entries = new Uint32Array(list.count)
    let count = 0
    for (let block = list.first; block !== NONE; block = this.#pool[block] ?? NONE) {
      const used = this.#usedIn(block)
      entries.set(this.#pool.subarray(block + HEADER, block + HEADER + used), count)
      count += used
    }
    return entries
  }

  clear(list: NumberList): void {
    for (let block = list.first; block !== NONE; ) {
      const next = this.#pool[block] ?? NONE
      this.#giveBack(block)
      block = next
    }
    Object.assign(list, emptyList())
  }

  save(to: CopyWriter): void {
    to.array(this.#pool.subarray(0, this.#end))
    to.array(Uint32Array.from([...this.#free.values()].flat()))
  }

  *restore(from: CopyReader): Reading {
    this.#pool = yield* from.array(Uint32Array)
    this.#end = this.#pool.length
    for (const block of yield* from.array(Uint32Array)) this.#giveBack(block)
  }

  #usedIn(block: number): number {
    return (this.#pool[block + 1] ?? 0) & 0xffff
  }

  #sizeOf(block: number): number {
    return (this.#pool[block + 1] ?? 0) >>> 16
  }

  #isFull({ last }: NumberList): boolean {
    return this.#usedIn(last) + HEADER === this.#sizeOf(last)
  }

  #append(list: NumberList): void {
    const size = list.last === NONE ? FIRST_SIZE : Math.min(SIZE_MAX, this.#sizeOf(list.last) * 2)
    const block = this.#take(size)
    if (list.last === NONE) list.first = block
    else this.#pool[list.last] = block
    list.last = block
  }

  #take(size: number): number {
    const free = this.#free.get(size)?.pop()
    const block = free ?? this.#end
    if (free === undefined) {
      this.#end += size
      this.#pool = withRoom(this.#pool, this.#end)
    }
    this.#pool[block] = NONE
    this.#pool[block + 1] = size << 16
    return block
  }

  #giveBack(block: number): void {
    const size = this.#sizeOf(block)
    const free = this.#free.get(size)
    if (free === undefined) this.#free.set(size, [block])
    else free.push(block)
  }

  #find(list: NumberList, entry: number): number | undefined {
    for (let block = list.first; block !== NONE; block = this.#pool[block] ?? NONE) {
      const end = block + HEADER + this.#usedIn(block)
      for (let at = block + HEADER; at < end; at += 1) if (this.#pool[at] === entry) return at
    }
    return undefined
  }

  #dropLast(list: NumberList): void {
    let before = NONE
    for (let block = list.first; block !== list.last; block = this.#pool[block] ?? NONE) {
      before = block
    }
    this.#giveBack(list.last)
    list.last = before
    if (before === NONE) list.first = NONE
    else this.#pool[before] = NONE
  }
}
