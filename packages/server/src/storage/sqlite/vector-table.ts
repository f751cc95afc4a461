// The vectors of one space, as codes in the memory that the kernel reads, and beside each how common
// its text is. A scan gives all cosines within one bound, in a quarter of the time and the room of
// the vectors themselves, which stay in the database for the few that have to be known exactly.
// decisions/2026-11-21-exact-scan.md

import { Slots, withRoom } from '../ranking/slots.ts'
import { CHUNK_ROWS, type CodeMemory } from './scan/code-memory.ts'
import { encode, errorOfProduct, lengthOf } from './scan/codes.ts'
import type { Workspace } from './scan/workspace.ts'

export class VectorTable {
  readonly #workspace: Workspace
  #memory: CodeMemory | undefined
  readonly #chunks: number[] = []
  readonly #slots = new Slots()
  #addresses = new Uint32Array(0)
  #scales = new Float32Array(0)
  #commonness = new Float32Array(0)
  /** Of all rows there ever were, so that one bound holds for all. */
  #greatest = { error: 0, length: 0 }

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** One more than the greatest row. */
  get end(): number {
    return this.#slots.end
  }

  /** What the table takes in memory, the room for further rows included. */
  get bytes(): number {
    const codes = this.#chunks.length * (this.#memory?.chunkBytes ?? 0)
    return (
      codes + this.#addresses.byteLength + this.#scales.byteLength + this.#commonness.byteLength
    )
  }

  /** By row, NaN where it is not known. Valid until the next change. */
  get commonness(): Float32Array {
    return this.#commonness
  }

  /** Returns the row. All vectors of a table have the same length. */
  add(vector: Float32Array, commonness: number | undefined): number {
    const memory = this.#memory ?? this.#workspace.codesOf(vector.length)
    this.#memory = memory
    const row = this.#slots.take()
    if (row === this.#chunks.length * CHUNK_ROWS) this.#chunks.push(memory.takeChunk())
    const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)] ?? 0
    const address = chunk + (row % CHUNK_ROWS) * memory.width
    const { scale, error } = encode(vector, memory.emptyRow(address))
    this.#addresses = withRoom(this.#addresses, row)
    this.#scales = withRoom(this.#scales, row)
    this.#commonness = withRoom(this.#commonness, row)
    this.#addresses[row] = address
    this.#scales[row] = scale
    this.#commonness[row] = commonness ?? Number.NaN
    this.#greatest.error = Math.max(this.#greatest.error, error)
    this.#greatest.length = Math.max(this.#greatest.length, lengthOf(vector))
    return row
  }

  remove(row: number): void {
    this.#slots.giveBack(row)
  }

  /** Gives the memory to others. The table must not be used any more. */
  release(): void {
    for (const chunk of this.#chunks.splice(0)) this.#memory?.giveBack(chunk)
  }

  /**
   * Writes the cosines of the rows, or of all rows, with a vector to `cosines`, by row. Returns how
   * far each of them may lie from the exact one.
   */
  scan(vector: Float32Array, rows: Uint32Array | undefined, cosines: Float64Array): number {
    if (this.#memory === undefined) return 0
    const query = this.#memory.setQuery(vector)
    const scales = this.#scales
    const all = this.#addresses.subarray(0, this.#slots.end)
    const addresses = rows === undefined ? all : rows.map((row) => all[row] ?? 0)
    this.#memory.multiply(addresses, (products, from) => {
      for (let place = 0; place < products.length; place += 1) {
        const row = rows === undefined ? from + place : (rows[from + place] ?? 0)
        cosines[row] = (products[place] ?? 0) * (scales[row] ?? 0) * query.scale
      }
    })
    return errorOfProduct(this.#greatest, query)
  }
}
