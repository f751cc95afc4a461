// The vectors of a large space, each number in half a byte, by row: cosines with a query within a likely error.
// What is coded is a vector less the centroid of the space: the vectors of a model all lie on one side, and half a
// byte should not be spent on what they have in common.
// decisions/2026-11-21-search-at-scale.md (one query, step by step)

import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import { withRoom } from '../packed/slots.ts'
import { CHUNK_ROWS, type CodeMemory } from '../scan/code-memory.ts'
import { encodeHalves, encodeQuery, HALF_MIDDLE } from '../scan/codes.ts'
import type { Centroid, FromCentroid } from './centroid.ts'
import { Chunks } from './chunks.ts'

const AXES_A_STEP = 32
/** An error is a sum of many small ones: 1 in 16,000 is more than so many standard deviations. */
const DEVIATIONS = 4

export class HalfCodes {
  readonly #memory: CodeMemory
  readonly #centroid: Centroid
  readonly #chunks: Chunks
  readonly #width: number
  #scales = new Float32Array(0)
  /** By row: the product of the vector, without the centroid, with the centroid. */
  #constants = new Float32Array(0)
  /** Sums of the errors' squares and fourth powers, over all rows there ever were. */
  readonly #rests = { sum: 0, rows: 0, fourths: 0 }

  constructor(memory: CodeMemory, centroid: Centroid) {
    this.#memory = memory
    this.#centroid = centroid
    this.#width = Math.ceil(centroid.dimension / AXES_A_STEP) * (AXES_A_STEP / 2)
    this.#chunks = new Chunks(memory, { rows: CHUNK_ROWS, bytes: CHUNK_ROWS * this.#width })
  }

  get bytes(): number {
    return this.#chunks.bytes + this.#scales.byteLength + this.#constants.byteLength
  }

  write(row: number, { rest, product }: FromCentroid): void {
    this.#chunks.makeRoom(row)
    const codes = new Uint8Array(this.#memory.buffer, this.#addressOf(row), this.#width).fill(0)
    const { scale, error } = encodeHalves(rest, codes)
    this.#scales = withRoom(this.#scales, row)
    this.#constants = withRoom(this.#constants, row)
    this.#scales[row] = scale
    this.#constants[row] = product
    this.#rests.sum += error ** 2
    this.#rests.rows += 1
    this.#rests.fourths += error ** 4
  }

  /** A copy that is made later has nothing of the vector. */
  clear(row: number): void {
    new Uint8Array(this.#memory.buffer, this.#addressOf(row), this.#width).fill(0)
    this.#scales[row] = 0
    this.#constants[row] = 0
  }

  /** Writes the rows' cosines with a vector, by row. Returns how far each is likely to lie off. */
  scan(vector: Float32Array, rows: Uint32Array, cosines: Float64Array): number {
    const { room, buffer } = this.#memory
    const { rest, whole } = this.#centroid.query(vector)
    const codes = new Int16Array(buffer, room.query, this.#width * 2).fill(0)
    const { scale } = encodeQuery(rest, codes)
    const shift = codes.reduce((sum, code) => sum + code, 0) * HALF_MIDDLE
    const scales = this.#scales
    const constants = this.#constants
    const coded = { rows, width: this.#width, addressOf: (row: number) => this.#addressOf(row) }
    this.#memory.multiply('multiplyHalves', coded, (products, batch) => {
      for (let place = 0; place < batch.length; place += 1) {
        const row = batch[place] ?? 0
        const product = ((products[place] ?? 0) - shift) * (scales[row] ?? 0) * scale
        cosines[row] = product + (constants[row] ?? 0) + whole
      }
    })
    return (DEVIATIONS * this.#meanRest()) / Math.sqrt(vector.length)
  }

  save(to: CopyWriter): void {
    this.#chunks.save(to)
    to.array(this.#scales)
    to.array(this.#constants)
    to.numbers(this.#rests.sum, this.#rests.rows, this.#rests.fourths)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#chunks.restore(from)
    this.#scales = yield* from.array(Float32Array)
    this.#constants = yield* from.array(Float32Array)
    const [sum = 0, rows = 0, fourths = 0] = from.numbers()
    Object.assign(this.#rests, { sum, rows, fourths })
  }

  release(): void {
    this.#chunks.release()
  }

  /**
   * Each rest counts by its size. Rows that are nearly the same text have none, and however many they are, the
   * others' must not be taken for as small.
   */
  #meanRest(): number {
    const { sum, rows, fourths } = this.#rests
    return Math.sqrt(Math.max(sum / Math.max(1, rows), fourths / Math.max(Number.MIN_VALUE, sum)))
  }

  #addressOf(row: number): number {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    return chunk + this.#chunks.placeOf(row) * this.#width
  }
}
