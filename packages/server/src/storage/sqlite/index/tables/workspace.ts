// What the indexes of a thread share: the memory of the codes, the threads that help to scan it, and room
// for what a search computes on its way. One search has it from one turn of the event loop to the next, and
// memory that was touched before is several times faster than fresh one.

import { Proposed } from '../packed/proposed.ts'
import { WordPointsRoom } from '../postings/word-points.ts'
import { CodeMemory } from '../scan/code-memory.ts'
import type { Measured } from '../vectors/meanings.ts'
import { SignScanners } from '../vectors/sign-scanners.ts'

export class Workspace {
  readonly memory = new CodeMemory()
  readonly scanners = new SignScanners(this.memory)
  readonly wordPoints = new WordPointsRoom()
  readonly proposed = new Proposed()
  #cosines = new Float64Array(0)
  #meanings = new Float64Array(0)
  #nearest = new Float64Array(0)

  /** Room for the cosines of so many rows with a part of a query; holds whatever the last user left. */
  cosines(rows: number): Float64Array {
    this.#cosines = roomFor(rows, this.#cosines)
    return this.#cosines
  }

  /** The same for what so many memories mean to a query, and for their greatest cosines. */
  measured(memories: number): Measured {
    this.#meanings = roomFor(memories, this.#meanings)
    this.#nearest = roomFor(memories, this.#nearest)
    return { meanings: this.#meanings, nearest: this.#nearest }
  }
}

const roomFor = (rows: number, before: Float64Array<ArrayBuffer>) =>
  before.length < rows ? new Float64Array(Math.ceil(rows * 1.25)) : before
