// Room for rows in the memory of the codes, a chunk of rows at a time.

import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import type { CodeMemory } from '../scan/code-memory.ts'

export class Chunks {
  readonly #memory: CodeMemory
  readonly #size: { rows: number; bytes: number }
  readonly #shift: number
  readonly #mask: number
  readonly #addresses: number[] = []

  /** The rows of a chunk are a power of two: asked for each row of a search, a division takes its time. */
  constructor(memory: CodeMemory, size: { rows: number; bytes: number }) {
    this.#memory = memory
    this.#size = size
    this.#shift = Math.log2(size.rows)
    this.#mask = size.rows - 1
  }

  get bytes(): number {
    return this.#addresses.length * this.#size.bytes
  }

  get count(): number {
    return this.#addresses.length
  }

  chunkOf(row: number): number {
    return row >> this.#shift
  }

  /** Of a row in its chunk. */
  placeOf(row: number): number {
    return row & this.#mask
  }

  /** Returns whether there are more chunks now. */
  makeRoom(row: number): boolean {
    const before = this.#addresses.length
    while (this.chunkOf(row) >= this.#addresses.length) {
      const address = this.#memory.take(this.#size.bytes)
      this.#addresses.push(address)
      // What lay there was another space's, and would be in a copy of this one.
      this.#bytesAt(address).fill(0)
    }
    return this.#addresses.length > before
  }

  /** Where a chunk begins. */
  addressOf(chunk: number): number {
    return this.#addresses[chunk] ?? 0
  }

  save(to: CopyWriter): void {
    to.numbers(this.#addresses.length)
    for (const address of this.#addresses) to.array(this.#bytesAt(address))
  }

  *restore(from: CopyReader): Reading {
    const [count = 0] = from.numbers()
    for (let chunk = 0; chunk < count; chunk += 1) {
      const address = this.#memory.take(this.#size.bytes)
      this.#addresses.push(address)
      yield* from.into(this.#bytesAt(address))
    }
  }

  #bytesAt(address: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, this.#size.bytes)
  }

  /** Gives the room to others. */
  release(): void {
    for (const address of this.#addresses.splice(0)) {
      this.#memory.giveBack(address, this.#size.bytes)
    }
  }
}
