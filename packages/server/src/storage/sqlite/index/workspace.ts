// What the indexes of a thread share: the memory of the codes, the threads that help to scan it, and room
// for what a search computes on its way. A thread does one search at a time, and memory that was touched
// before is several times faster than fresh one.
import { CodeMemory } from './scan/code-memory.ts'
import { SignScanners } from './sign-scanners.ts'
import { WordPointsRoom } from './word-points.ts'

export class Workspace {
  readonly memory = new CodeMemory()
  readonly scanners = new SignScanners(this.memory)
  readonly wordPoints = new WordPointsRoom()
  readonly #cosines: Float64Array<ArrayBuffer>[] = []
  #meanings = new Float64Array(0)
  #nearest = new Float64Array(0)
  /** By row, 1 for those that were given. */
  #given = new Uint8Array(0)
  #givenLists: Uint32Array[] = []

  /** Room for the cosines of so many rows with one part of a query; holds whatever the last user left. */
  cosines(part: number, rows: number): Float64Array {
    const room = roomFor(rows, this.#cosines[part])
    this.#cosines[part] = room
    return room
  }

  /** The same for what a memory means to a query. */
  meanings(rows: number): Float64Array {
    this.#meanings = roomFor(rows, this.#meanings)
    return this.#meanings
  }

  /** The same for the greatest cosine of a memory. */
  nearest(rows: number): Float64Array {
    this.#nearest = roomFor(rows, this.#nearest)
    return this.#nearest
  }

  /**
   * The wanted rows in the order in which they come first, but for those that were given since
   * `forgetGiven`. All are less than `end`, which stays until then.
   */
  giveOnce(
    lists: readonly ArrayLike<number>[],
    { end, isWanted }: { end: number; isWanted: (row: number) => boolean },
  ): Uint32Array {
    if (this.#given.length < end) this.#given = new Uint8Array(Math.ceil(end * 1.25))
    const given = this.#given
    const fresh = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
    let count = 0
    for (const rows of lists) {
      for (let place = 0; place < rows.length; place += 1) {
        const row = rows[place] ?? 0
        if (given[row] !== 0 || !isWanted(row)) continue
        given[row] = 1
        fresh[count] = row
        count += 1
      }
    }
    const found = fresh.subarray(0, count)
    this.#givenLists.push(found)
    return found
  }

  forgetGiven(): void {
    for (const rows of this.#givenLists.splice(0)) {
      for (let place = 0; place < rows.length; place += 1) this.#given[rows[place] ?? 0] = 0
    }
  }
}

const roomFor = (rows: number, before = new Float64Array(0)) =>
  before.length < rows ? new Float64Array(Math.ceil(rows * 1.25)) : before
