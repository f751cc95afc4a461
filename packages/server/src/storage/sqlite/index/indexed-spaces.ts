// Tells the writer of which spaces the searcher has an index, so that nobody is sent the changes of others.
// The searcher notes a space before it reads anything of it, and the writer looks after it has committed:
// if it does not see the note, the reading begins later and finds the commit in the rows. Several spaces
// may share a count; then the changes of one more are sent, and dropped by the searcher.
// decisions/2026-11-25-index-change-feed.md
import type { SpaceId } from '../../records.ts'

const COUNTS = 4_096

export class IndexedSpaces {
  /** For the other thread, which makes its own of it. */
  readonly memory: SharedArrayBuffer
  readonly #counts: Int32Array

  constructor(memory = new SharedArrayBuffer(COUNTS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#counts = new Int32Array(memory)
  }

  /** Before anything of the space is read. Once for each index that is made of it. */
  add(space: SpaceId): void {
    Atomics.add(this.#counts, space % COUNTS, 1)
  }

  /** When an index is let go of. */
  remove(space: SpaceId): void {
    Atomics.sub(this.#counts, space % COUNTS, 1)
  }

  /** After a commit. False when there is no index that has to hear of it. */
  mayHave(space: SpaceId): boolean {
    return Atomics.load(this.#counts, space % COUNTS) > 0
  }
}
