// The search indexes that are in memory, by space. When they take more room than they may, the
// least recently used ones go; each can be loaded again from the rows. No step looks at more spaces
// than it drops: there may be very many small ones.
import type { SpaceId } from '../../store.ts'
import type { SearchIndex } from './search-index.ts'

export class IndexCache {
  readonly #bytesMax: number
  // In order of use, the least recently used first.
  readonly #indexes = new Map<SpaceId, SearchIndex>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The index of the space, if it is in memory; it is now the most recently used one. */
  use(space: SpaceId): SearchIndex | undefined {
    const index = this.#indexes.get(space)
    if (index === undefined) return undefined
    this.#indexes.delete(space)
    this.#indexes.set(space, index)
    return index
  }

  /** An index that was just loaded. */
  put(space: SpaceId, index: SearchIndex): void {
    this.#indexes.set(space, index)
    this.#bytes += index.bytes
    this.#evict()
  }

  all(): Iterable<[SpaceId, SearchIndex]> {
    return this.#indexes
  }

  /** Changes the index of the space if it is in memory. */
  change(space: SpaceId, work: (index: SearchIndex) => void): void {
    const index = this.#indexes.get(space)
    if (index === undefined) return
    const bytesBefore = index.bytes
    work(index)
    this.#bytes += index.bytes - bytesBefore
    this.#evict()
  }

  /** Lets go of the index of the space if it is one of those; it is loaded again when it is needed. */
  dropIf(space: SpaceId, isOne: (index: SearchIndex) => boolean): void {
    const index = this.#indexes.get(space)
    if (index === undefined || !isOne(index)) return
    this.#indexes.delete(space)
    this.#bytes -= index.bytes
    index.release()
  }

  clear(): void {
    for (const index of this.#indexes.values()) index.release()
    this.#indexes.clear()
    this.#bytes = 0
  }

  /** The most recently used one stays, however large it is. */
  #evict(): void {
    for (const [space, index] of this.#indexes) {
      if (this.#bytes <= this.#bytesMax || this.#indexes.size === 1) return
      this.#indexes.delete(space)
      this.#bytes -= index.bytes
      index.release()
    }
  }
}
