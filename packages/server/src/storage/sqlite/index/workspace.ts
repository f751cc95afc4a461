// What the indexes of a thread share: the memory of the codes, the threads that help to scan it, and room
// for what a search computes on its way. A thread does one search at a time, and memory that was touched before is several times
// faster than fresh one.
import { CodeMemory } from './scan/code-memory.ts'
import { SignScanners } from './sign-scanners.ts'

export class Workspace {
  readonly memory = new CodeMemory()
  readonly scanners = new SignScanners(this.memory)
  readonly #cosines: Float64Array[] = []

  /** Room for the cosines of so many rows with one part of a query; holds whatever the last user left. */
  cosines(part: number, rows: number): Float64Array {
    const room = this.#cosines[part] ?? new Float64Array(0)
    const roomy = room.length < rows ? new Float64Array(Math.ceil(rows * 1.25)) : room
    this.#cosines[part] = roomy
    return roomy
  }
}
