// Which rows a memory has: its pieces in the order of the text, and after each the sentences of it. As
// columns of numbers, so that a search goes through all memories of a space without touching an object
// for any of them. A memory is known by its first row.

import type { CopyReader, CopyWriter, Reading } from './copy-file.ts'
import { Slots, withRoom } from './slots.ts'

/** Ends a list of rows. */
export const NONE = -1

/** What is said of a row. */
export const PIECE = 1
export const ASKING = 2
export const SEVERAL_PIECES = 4
const TAKEN = 8

type NewRows = {
  /** Of each piece: the commonness of its rows. */
  pieces: readonly (readonly (number | undefined)[])[]
  no: number
  createdAt: number
  isAsking: boolean
}

export class MemoryRows {
  readonly #slots = new Slots()
  #all: Uint32Array | undefined
  /** Those of `#all`, listed when they are first asked for. */
  #rowsOfAll: Uint32Array | undefined
  /** The next row of the same memory, or NONE. */
  next = new Int32Array(0)
  /** PIECE for the row of a piece; the others for the first row of a memory. */
  marks = new Uint8Array(0)
  /** NaN where it is not known. */
  commonness = new Float32Array(0)
  /** By the first row of a memory. */
  no = new Float64Array(0)
  createdAt = new Float64Array(0)

  /** One more than the greatest row so far. */
  get end(): number {
    return this.#slots.end
  }

  get bytes(): number {
    const { next, marks, commonness, no, createdAt } = this
    const columns = [next, marks, commonness, no, createdAt]
    const lists = (this.#all?.byteLength ?? 0) + (this.#rowsOfAll?.byteLength ?? 0)
    return columns.reduce((sum, { byteLength }) => sum + byteLength, lists)
  }

  /** The first rows of all memories, ascending. */
  get all(): Uint32Array {
    this.#all ??= this.#listAll()
    return this.#all
  }

  /** The greatest number of a memory. */
  get lastNo(): number {
    return this.all.reduce((last, memory) => Math.max(last, this.no[memory] ?? 0), 0)
  }

  has(memory: number): boolean {
    return ((this.marks[memory] ?? 0) & TAKEN) !== 0
  }

  /** Whether it is one row alone. */
  hasOne(memory: number): boolean {
    return this.next[memory] === NONE
  }

  /** Returns the rows in order; the first of them is the memory. */
  add({ pieces, no, createdAt, isAsking }: NewRows): number[] {
    const rows: number[] = []
    for (const piece of pieces) {
      for (const [place, commonness] of piece.entries()) {
        const row = this.#slots.take()
        this.#makeRoom(row)
        this.marks[row] = place === 0 ? PIECE : 0
        this.commonness[row] = commonness ?? Number.NaN
        this.next[row] = NONE
        const before = rows.at(-1)
        if (before !== undefined) this.next[before] = row
        rows.push(row)
      }
    }
    const [memory] = rows
    if (memory === undefined) return rows
    this.marks[memory] =
      PIECE | TAKEN | (isAsking ? ASKING : 0) | (pieces.length > 1 ? SEVERAL_PIECES : 0)
    this.no[memory] = no
    this.createdAt[memory] = createdAt
    this.#forgetLists()
    return rows
  }

  /** The rows may belong to others from now on. */
  remove(memory: number): void {
    for (const row of this.of(memory)) {
      this.marks[row] = 0
      this.commonness[row] = 0
      this.no[row] = 0
      this.createdAt[row] = 0
      this.#slots.giveBack(row)
    }
    this.#forgetLists()
  }

  of(memory: number): number[] {
    const rows: number[] = []
    for (let row = memory; row !== NONE; row = this.next[row] ?? NONE) rows.push(row)
    return rows
  }

  /** Those of all the memories; the very list when each is one row. */
  ofAll(memories: Uint32Array): Uint32Array {
    if (memories !== this.#all) return this.#listRows(memories)
    this.#rowsOfAll ??= this.#listRows(memories)
    return this.#rowsOfAll
  }

  save(to: CopyWriter): void {
    const { end, free } = this.#slots.state
    to.numbers(end)
    to.array(free)
    const { next, marks, commonness, no, createdAt } = this
    for (const column of [next, marks, commonness, no, createdAt]) to.array(column.subarray(0, end))
  }

  *restore(from: CopyReader): Reading {
    const [end = 0] = from.numbers()
    this.#slots.restore({ end, free: yield* from.array(Uint32Array) })
    this.next = yield* from.array(Int32Array)
    this.marks = yield* from.array(Uint8Array)
    this.commonness = yield* from.array(Float32Array)
    this.no = yield* from.array(Float64Array)
    this.createdAt = yield* from.array(Float64Array)
  }

  #listAll(): Uint32Array {
    const all = new Uint32Array(this.end)
    let count = 0
    for (let row = 0; row < this.end; row += 1) {
      if (!this.has(row)) continue
      all[count] = row
      count += 1
    }
    return all.subarray(0, count)
  }

  #listRows(memories: Uint32Array): Uint32Array {
    const { next } = this
    let count = 0
    for (let place = 0; place < memories.length; place += 1) {
      for (let row = memories[place] ?? NONE; row !== NONE; row = next[row] ?? NONE) count += 1
    }
    if (count === memories.length) return memories
    const rows = new Uint32Array(count)
    count = 0
    for (let place = 0; place < memories.length; place += 1) {
      for (let row = memories[place] ?? NONE; row !== NONE; row = next[row] ?? NONE) {
        rows[count] = row
        count += 1
      }
    }
    return rows
  }

  #forgetLists(): void {
    this.#all = undefined
    this.#rowsOfAll = undefined
  }

  #makeRoom(row: number): void {
    this.next = withRoom(this.next, row)
    this.marks = withRoom(this.marks, row)
    this.commonness = withRoom(this.commonness, row)
    this.no = withRoom(this.no, row)
    this.createdAt = withRoom(this.createdAt, row)
  }
}
