// The vectors of a small space, each number in a signed byte, by row (scalar quantization): cosines with a
// query within a bound that is a theorem. Beside its codes each row has its commonness and its owner, so that
// one pass of the kernel also finds the memories that may be strong enough. Layout of a chunk: kernel.ts.
// decisions/2026-11-21-exact-scan.md, decisions/2026-11-21-search-at-scale.md (one query, step by step)

import type { Points } from '../packed/points.ts'
import { withRoom } from '../packed/slots.ts'
import { type CodeMemory, FOUND_ROWS_MAX } from '../scan/code-memory.ts'
import { encode, encodeQuery, errorOfProduct, lengthOf } from '../scan/codes.ts'
import { BYTES_A_STEP, BYTES_CHUNK_ROWS, BYTES_HEAD_BYTES } from '../scan/kernel.ts'
import { Chunks } from './chunks.ts'
import type { Linear } from './meanings.ts'

/** Where the columns of a chunk begin, in numbers of 32 bits. */
const COMMONNESS = BYTES_CHUNK_ROWS
const OWNERS = BYTES_CHUNK_ROWS * 2
/** Chunks that the kernel looks at in one call. */
const BATCH_CHUNKS = FOUND_ROWS_MAX / BYTES_CHUNK_ROWS

/** A row is asked for that is strong enough, or near enough. */
type Reaching = {
  vector: Float32Array
  points: Points
  similarity: Linear
  /** What every row has beside similarity and points. */
  constant: number
  strengthMin: number
  cosineMin: number
}

/** By row, until the next search. `error` says how far each may lie from the exact one. */
export type ComparedRows = { cosines: Float64Array; error: number }

type Reached = {
  /**
   * Of all rows that may be strong or near enough, as far as codes tell, and of rows whose memory is
   * gone. An owner of several such rows is there several times.
   */
  owners: readonly Uint32Array[]
  compared: ComparedRows
}

export class ByteCodes {
  readonly #memory: CodeMemory
  readonly #chunks: Chunks
  readonly #width: number
  /** Also in front of the codes, where the kernel reads them. */
  #scales = new Float32Array(0)
  /** Of all rows there ever were, so that one bound holds for all. */
  readonly #greatest = { error: 0, length: 0 }

  constructor(memory: CodeMemory, dimension: number) {
    this.#memory = memory
    this.#width = Math.ceil(dimension / BYTES_A_STEP) * BYTES_A_STEP
    const bytes = BYTES_CHUNK_ROWS * (BYTES_HEAD_BYTES + this.#width)
    this.#chunks = new Chunks(memory, { rows: BYTES_CHUNK_ROWS, bytes })
  }

  get bytes(): number {
    return this.#chunks.bytes + this.#scales.byteLength
  }

  /** `owner` is the row that has the points. */
  write(row: number, owner: number, vector: Float32Array, commonness: number | undefined): void {
    if (this.#chunks.makeRoom(row)) this.#clearLast()
    const codes = new Int8Array(this.#memory.buffer, this.#codesOf(row), this.#width).fill(0)
    const { scale, error } = encode(vector, codes)
    this.#scales = withRoom(this.#scales, row)
    this.#scales[row] = scale
    const head = this.#headAt(row)
    const numbers = new Float32Array(this.#memory.buffer)
    numbers[head] = scale
    numbers[head + COMMONNESS] = commonness ?? Number.NaN
    new Uint32Array(this.#memory.buffer)[head + OWNERS] = owner
    this.#greatest.error = Math.max(this.#greatest.error, error)
    this.#greatest.length = Math.max(this.#greatest.length, lengthOf(vector))
  }

  /** Writes the rows' cosines with a vector, by row. Returns how far each may lie from the exact one. */
  scan(vector: Float32Array, rows: Uint32Array, cosines: Float64Array): number {
    const query = this.#ask(vector)
    const scales = this.#scales
    const coded = { rows, width: this.#width, addressOf: (row: number) => this.#codesOf(row) }
    this.#memory.multiply('multiplyBytes', coded, (products, batch) => {
      for (let place = 0; place < batch.length; place += 1) {
        const row = batch[place] ?? 0
        cosines[row] = (products[place] ?? 0) * (scales[row] ?? 0) * query.scale
      }
    })
    return query.error
  }

  /** Compares all rows with a vector. */
  reaching({ vector, points, similarity, constant, strengthMin, cosineMin }: Reaching): Reached {
    const rows = this.#chunks.count * BYTES_CHUNK_ROWS
    const cosines = this.#memory.cosines(rows)
    const { kernel, room, buffer } = this.#memory
    const { scale, error } = this.#ask(vector)
    const { base, unknown, ofCosine, ofCommonness } = similarity
    const owners: Uint32Array[] = []
    for (let from = 0; from < this.#chunks.count; from += BATCH_CHUNKS) {
      const count = Math.min(BATCH_CHUNKS, this.#chunks.count - from)
      const addresses = new Uint32Array(buffer, room.chunks, count)
      for (let place = 0; place < count; place += 1) {
        addresses[place] = this.#chunks.addressOf(from + place)
      }
      const { found } = room.share
      const end = kernel.reach(
        room.chunks,
        count,
        this.#width,
        room.query,
        points.address,
        scale,
        ofCosine,
        ofCommonness,
        base + constant,
        unknown + constant,
        points.unit,
        strengthMin - error * ofCosine,
        cosineMin - error,
        cosines + from * BYTES_CHUNK_ROWS * Float64Array.BYTES_PER_ELEMENT,
        found,
      )
      owners.push(new Uint32Array(buffer, found, (end - found) >> 2).slice())
    }
    return { owners, compared: { cosines: new Float64Array(buffer, cosines, rows), error } }
  }

  release(): void {
    this.#chunks.release()
  }

  /** Writes the query's codes to where the kernel reads them. */
  #ask(vector: Float32Array): { scale: number; error: number } {
    const { room, buffer } = this.#memory
    const codes = new Int16Array(buffer, room.query, this.#width).fill(0)
    const query = encodeQuery(vector, codes)
    return { scale: query.scale, error: errorOfProduct(this.#greatest, query) }
  }

  #codesOf(row: number): number {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    const codes = chunk + BYTES_CHUNK_ROWS * BYTES_HEAD_BYTES
    return codes + this.#chunks.placeOf(row) * this.#width
  }

  /** In numbers of 32 bits. */
  #headAt(row: number): number {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    return chunk / Float32Array.BYTES_PER_ELEMENT + this.#chunks.placeOf(row)
  }

  /** Rows that nobody has written reach nothing. */
  #clearLast(): void {
    const last = this.#chunks.count - 1
    const head = this.#headAt(last * BYTES_CHUNK_ROWS)
    new Float32Array(this.#memory.buffer).fill(Number.NaN, head, head + BYTES_CHUNK_ROWS)
  }
}
