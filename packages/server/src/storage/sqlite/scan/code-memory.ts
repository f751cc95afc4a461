// The memory that the kernel reads: the codes of all spaces of a thread, in chunks of a few rows.
// One memory for all, because a process can have only some thousands of them; in chunks, because a
// space then grows without being copied and leaves its room to others. It belongs to one dimension.
import { CODES_A_STEP, kernelOn, type Multiply } from './code-products.ts'
import { type Coded, encodeQuery } from './codes.ts'

export const CHUNK_ROWS = 16
/** Rows that are handed to the kernel at once: their addresses and products lie in front. */
const BATCH_ROWS = 4_096
const PAGE_BYTES = 65_536
/** What 32 bits can address. */
const PAGES_MAX = 65_536
const GROWTH = 1 / 8
const GROWTH_PAGES_MIN = 16

export type CodedQuery = Coded & { length: number }

export class CodeMemory {
  readonly dimension: number
  /** Codes of a row, the zeros at its end included. */
  readonly width: number
  readonly #memory: WebAssembly.Memory
  readonly #multiply: Multiply
  readonly #query: number
  readonly #addresses: number
  readonly #products: number
  readonly #freeChunks: number[] = []
  /** Where the first chunk begins that was never used. */
  #end: number

  constructor(dimension: number) {
    this.dimension = dimension
    this.width = Math.ceil(dimension / CODES_A_STEP) * CODES_A_STEP
    this.#query = 0
    this.#addresses = this.width * Int16Array.BYTES_PER_ELEMENT
    this.#products = this.#addresses + BATCH_ROWS * Uint32Array.BYTES_PER_ELEMENT
    this.#end = this.#products + BATCH_ROWS * Int32Array.BYTES_PER_ELEMENT
    const initial = Math.ceil(this.#end / PAGE_BYTES)
    this.#memory = new WebAssembly.Memory({ initial, maximum: PAGES_MAX })
    this.#multiply = kernelOn(this.#memory)
  }

  /** What it takes, room that is free now included. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  get chunkBytes(): number {
    return CHUNK_ROWS * this.width
  }

  /** The address of room for CHUNK_ROWS rows; what lies there is left over from before. */
  takeChunk(): number {
    const free = this.#freeChunks.pop()
    if (free !== undefined) return free
    const address = this.#end
    const end = address + this.chunkBytes
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES
    const missing = Math.ceil(end / PAGE_BYTES) - pages
    if (missing > 0) {
      const wanted = Math.max(missing, GROWTH_PAGES_MIN, Math.floor(pages * GROWTH))
      this.#memory.grow(Math.min(wanted, Math.max(missing, PAGES_MAX - pages)))
    }
    this.#end = end
    return address
  }

  giveBack(chunk: number): void {
    this.#freeChunks.push(chunk)
  }

  /** All zeros. To be filled before the memory is asked for anything else, which may move it. */
  emptyRow(address: number): Int8Array {
    return new Int8Array(this.#memory.buffer, address, this.width).fill(0)
  }

  /** Products are computed with the latest query. */
  setQuery(vector: Float32Array): CodedQuery {
    if (vector.length !== this.dimension) throw new Error('The query has another dimension.')
    return encodeQuery(vector, new Int16Array(this.#memory.buffer, this.#query, this.width).fill(0))
  }

  /** Hands each row's product to `take`, batch by batch; `from` is the place of the first of them. */
  multiply(addresses: Uint32Array, take: (products: Int32Array, from: number) => void): void {
    for (let from = 0; from < addresses.length; from += BATCH_ROWS) {
      const batch = addresses.subarray(from, from + BATCH_ROWS)
      new Uint32Array(this.#memory.buffer, this.#addresses, batch.length).set(batch)
      this.#multiply(this.#addresses, batch.length, this.width, this.#query, this.#products)
      take(new Int32Array(this.#memory.buffer, this.#products, batch.length), from)
    }
  }
}
