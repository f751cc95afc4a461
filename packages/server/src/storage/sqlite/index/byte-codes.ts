// The vectors of a space as bytes, by row: cosines with a query within a bound that is a theorem. For
// spaces that are searched exactly.
import { withRoom } from '../../ranking/slots.ts'
import { Chunks } from './chunks.ts'
import type { CodeMemory } from './scan/code-memory.ts'
import { encode, encodeQuery, errorOfProduct, lengthOf } from './scan/codes.ts'
import { BYTES_A_STEP } from './scan/kernel.ts'

const ROWS_A_CHUNK = 16

export class ByteCodes {
  readonly #memory: CodeMemory
  readonly #chunks: Chunks
  readonly #width: number
  #scales = new Float32Array(0)
  /** Of all rows there ever were, so that one bound holds for all. */
  readonly #greatest = { error: 0, length: 0 }

  constructor(memory: CodeMemory, dimension: number) {
    this.#memory = memory
    this.#width = Math.ceil(dimension / BYTES_A_STEP) * BYTES_A_STEP
    this.#chunks = new Chunks(memory, { rows: ROWS_A_CHUNK, bytes: ROWS_A_CHUNK * this.#width })
  }

  get bytes(): number {
    return this.#chunks.bytes + this.#scales.byteLength
  }

  write(row: number, vector: Float32Array): void {
    this.#chunks.makeRoom(row)
    const codes = new Int8Array(this.#memory.buffer, this.#addressOf(row), this.#width).fill(0)
    const { scale, error } = encode(vector, codes)
    this.#scales = withRoom(this.#scales, row)
    this.#scales[row] = scale
    this.#greatest.error = Math.max(this.#greatest.error, error)
    this.#greatest.length = Math.max(this.#greatest.length, lengthOf(vector))
  }

  /** Writes the rows' cosines with a vector, by row. Returns how far each may lie from the exact one. */
  scan(vector: Float32Array, rows: Uint32Array, cosines: Float64Array): number {
    const { room, buffer } = this.#memory
    const codes = new Int16Array(buffer, room.query, this.#width).fill(0)
    const query = encodeQuery(vector, codes)
    const scales = this.#scales
    const coded = { rows, width: this.#width, addressOf: (row: number) => this.#addressOf(row) }
    this.#memory.multiply('multiplyBytes', coded, (products, batch) => {
      for (let place = 0; place < batch.length; place += 1) {
        const row = batch[place] ?? 0
        cosines[row] = (products[place] ?? 0) * (scales[row] ?? 0) * query.scale
      }
    })
    return errorOfProduct(this.#greatest, query)
  }

  release(): void {
    this.#chunks.release()
  }

  #addressOf(row: number): number {
    return this.#chunks.addressOf(row >> 4) + (row & 15) * this.#width
  }
}
