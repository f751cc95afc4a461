// The memory that the kernel reads: the codes of all spaces of a thread, in pieces of a few sizes.
// One memory for all, because a process can have only some thousands of them; in pieces, because a
// space then grows without being copied and leaves its room to others. In front lies what one search
// at a time computes with. Shared, because several threads scan a large space (sign-scanners.ts).
import { type Kernel, kernelOn } from './kernel.ts'

const PAGE_BYTES = 65_536
/** What 32 bits can address. */
const PAGES_MAX = 65_536
const GROWTH = 1 / 8
const GROWTH_PAGES_MIN = 16
const ALIGNMENT = 16

/** Rows that are handed to the kernel at once. */
const BATCH_ROWS = 4_096
/** The longest vector that there is room for. */
const DIMENSION_MAX = 16_384
/** Rows of a chunk of signs, and how many of them one call may find. */
export const CHUNK_ROWS = 1_024
export const FOUND_ROWS_MAX = 16_384

/** Where the parts of the room for one search begin. */
type Room = {
  query: number
  /** Signs, then marks. */
  signs: number
  rows: number
  products: number
  /** Of the thread that searches. */
  share: ScanRoom
  /** What all threads of a scan read, and the addresses of the chunks that are scanned. */
  scan: number
  chunks: number
}

/** What a thread that scans writes. */
export type ScanRoom = { differing: number; found: number }
const DIFFERING_BYTES = CHUNK_ROWS * Uint16Array.BYTES_PER_ELEMENT
const FOUND_BYTES = 2 * FOUND_ROWS_MAX * Int32Array.BYTES_PER_ELEMENT

/** Chunks that there can be: none is smaller than this. */
const CHUNK_BYTES_MIN = 48 * CHUNK_ROWS
const CHUNKS_MAX = Math.ceil((PAGES_MAX * PAGE_BYTES) / CHUNK_BYTES_MIN)
const SCAN_WORDS = 32

/** That grows with what is asked. */
type Part = { address: number; bytes: number }

/** `width` is in bytes. */
type RowsOfCodes = {
  rows: Uint32Array
  width: number
  addressOf: (row: number) => number
}

export class CodeMemory {
  readonly kernel: Kernel
  readonly room: Room
  readonly #memory: WebAssembly.Memory
  /** By size. */
  readonly #free = new Map<number, number[]>()
  /** Where nothing was taken yet. */
  #end = 0
  readonly #bits: Part = { address: 0, bytes: 0 }
  readonly #points: Part = { address: 0, bytes: 0 }
  readonly #cosines: Part = { address: 0, bytes: 0 }

  constructor() {
    const pages = GROWTH_PAGES_MIN
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: PAGES_MAX, shared: true })
    this.kernel = kernelOn(this.#memory)
    this.room = {
      query: this.take(DIMENSION_MAX * Int16Array.BYTES_PER_ELEMENT),
      signs: this.take(DIMENSION_MAX / 2),
      rows: this.take(BATCH_ROWS * Uint32Array.BYTES_PER_ELEMENT),
      products: this.take(BATCH_ROWS * Int32Array.BYTES_PER_ELEMENT),
      share: this.takeScanRoom(),
      scan: this.take(SCAN_WORDS * Int32Array.BYTES_PER_ELEMENT),
      chunks: this.take(CHUNKS_MAX * Uint32Array.BYTES_PER_ELEMENT),
    }
  }

  /** Of the moment: views do not reach what is taken later. */
  get buffer(): ArrayBufferLike {
    return this.#memory.buffer
  }

  /** To be given to other threads. */
  get shared(): WebAssembly.Memory {
    return this.#memory
  }

  takeScanRoom(): ScanRoom {
    return { differing: this.take(DIFFERING_BYTES), found: this.take(FOUND_BYTES) }
  }

  /** The thread that had it has ended. */
  giveBackScanRoom({ differing, found }: ScanRoom): void {
    this.giveBack(differing, DIFFERING_BYTES)
    this.giveBack(found, FOUND_BYTES)
  }

  /** The address of so many bytes; what lies there is left over from before. */
  take(bytes: number): number {
    const free = this.#free.get(bytes)?.pop()
    if (free !== undefined) return free
    const address = this.#end
    const end = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES
    const missing = Math.ceil(end / PAGE_BYTES) - pages
    if (missing > 0) {
      const wanted = Math.max(missing, GROWTH_PAGES_MIN, Math.floor(pages * GROWTH))
      this.#memory.grow(Math.min(wanted, Math.max(missing, PAGES_MAX - pages)))
    }
    this.#end = end
    return address
  }

  giveBack(address: number, bytes: number): void {
    const free = this.#free.get(bytes)
    if (free === undefined) this.#free.set(bytes, [address])
    else free.push(address)
  }

  /** Hands the products of the query with some rows at a time to `take`. */
  multiply(
    by: 'multiplyBytes' | 'multiplyHalves',
    { rows, width, addressOf }: RowsOfCodes,
    take: (products: Int32Array, rows: Uint32Array) => void,
  ): void {
    const { kernel, room, buffer } = this
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows.subarray(from, from + BATCH_ROWS)
      const addresses = new Uint32Array(buffer, room.rows, batch.length)
      for (let place = 0; place < batch.length; place += 1) {
        addresses[place] = addressOf(batch[place] ?? 0)
      }
      kernel[by](room.rows, batch.length, width, room.query, room.products)
      take(new Int32Array(buffer, room.products, batch.length), batch)
    }
  }

  /** Points of so many rows, rounded up to 8, all zero. */
  zeroPoints(rows: number): number {
    const bytes = Math.ceil(rows / 8) * 16
    this.#atLeast(this.#points, bytes)
    this.kernel.clear(this.#points.address, bytes)
    return this.#points.address
  }

  /** Room for the cosines of so many rows, 64 bits each. */
  cosines(rows: number): number {
    this.#atLeast(this.#cosines, rows * Float64Array.BYTES_PER_ELEMENT)
    return this.#cosines.address
  }

  /** The bits of one set, for a call of the kernel. */
  setBits(bits: Uint8Array): number {
    this.#atLeast(this.#bits, bits.length)
    new Uint8Array(this.#memory.buffer, this.#bits.address, bits.length).set(bits)
    return this.#bits.address
  }

  /** Without room for it the part is empty: what it had may be somebody else's by now. */
  #atLeast(part: Part, bytes: number): void {
    if (part.bytes >= bytes) return
    if (part.bytes > 0) this.giveBack(part.address, part.bytes)
    part.bytes = 0
    const roomy = Math.ceil((bytes * 1.5) / PAGE_BYTES) * PAGE_BYTES
    part.address = this.take(roomy)
    part.bytes = roomy
  }
}
