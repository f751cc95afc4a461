// The search indexes that are in memory, by space. When they take more room than they may, the
// least recently used ones go; each can be loaded again from the rows. No step looks at more spaces
// than it drops: there may be very many small ones.
import type { SpaceId } from '../../records.ts'
import type { SearchIndex } from './search-index.ts'

/** `bytes` are those that the sum has for it: an index also grows and shrinks by itself. */
type Cached = { readonly index: SearchIndex; bytes: number }

export class IndexCache {
  readonly #bytesMax: number
  readonly #letGo: (space: SpaceId, index: SearchIndex) => void
  // In order of use, the least recently used first.
  readonly #cached = new Map<SpaceId, Cached>()
  #bytes = 0
  /** Of indexes that are being made. */
  #bytesOfUnfinished = 0

  constructor(bytesMax: number, letGo: (space: SpaceId, index: SearchIndex) => void) {
    this.#bytesMax = bytesMax
    this.#letGo = letGo
  }

  /** The index of the space, if it is in memory; it is now the most recently used one. */
  use(space: SpaceId): SearchIndex | undefined {
    const cached = this.#cached.get(space)
    if (cached === undefined) return undefined
    this.#cached.delete(space)
    this.#cached.set(space, cached)
    return cached.index
  }

  /** An index that was just loaded. */
  put(space: SpaceId, index: SearchIndex): void {
    const cached = { index, bytes: 0 }
    this.#cached.set(space, cached)
    this.#count(cached)
    this.#evict()
  }

  /** Those that are being made take so much by now. */
  leaveRoomFor(bytesOfUnfinished: number): void {
    this.#bytesOfUnfinished = bytesOfUnfinished
    this.#evict()
  }

  *all(): Iterable<[SpaceId, SearchIndex]> {
    for (const [space, { index }] of this.#cached) yield [space, index]
  }

  /** Changes the index of the space if it is in memory. */
  change(space: SpaceId, work: (index: SearchIndex) => void): void {
    const cached = this.#cached.get(space)
    if (cached === undefined) return
    work(cached.index)
    this.#count(cached)
    this.#evict()
  }

  /** Lets go of the index of the space if it is one of those; it is loaded again when it is needed. */
  dropIf(space: SpaceId, isOne: (index: SearchIndex) => boolean): void {
    const cached = this.#cached.get(space)
    if (cached !== undefined && isOne(cached.index)) this.#drop(space, cached)
  }

  clear(): void {
    for (const [space, cached] of this.#cached) this.#drop(space, cached)
  }

  #count(cached: Cached): void {
    const { bytes } = cached.index
    this.#bytes += bytes - cached.bytes
    cached.bytes = bytes
  }

  #drop(space: SpaceId, { index, bytes }: Cached): void {
    this.#cached.delete(space)
    this.#bytes -= bytes
    this.#letGo(space, index)
  }

  /** The most recently used one stays, however large it is. */
  #evict(): void {
    for (const [space, cached] of this.#cached) {
      const bytes = this.#bytes + this.#bytesOfUnfinished
      if (bytes <= this.#bytesMax || this.#cached.size === 1) return
      this.#drop(space, cached)
    }
  }
}
