// The signs of the vectors of a large space, one bit a number (binary quantization). A scan of all rows
// estimates from them the strength of each, the points of its words included, and the rows with the greatest
// estimates are proposed. Where a row has one size for all of its numbers, a query has two, one for its greater
// and one for its lesser numbers. kernel.ts has the units of the whole numbers here, and the layout of a chunk.
// decisions/2026-11-21-search-at-scale.md says what a scan finds, measured, and walks one query through it.

import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import type { Points } from '../packed/points.ts'
import { CHUNK_ROWS, type CodeMemory } from '../scan/code-memory.ts'
import { HEAD_BYTES, SIGN_BYTES_A_STEP } from '../scan/kernel.ts'
import type { Best } from './best.ts'
import type { Centroid, FromCentroid } from './centroid.ts'
import { Chunks } from './chunks.ts'
import type { SignScanners } from './sign-scanners.ts'

const AXES_A_STEP = SIGN_BYTES_A_STEP * 8
const NUMBER_MAX = 32_767
/** Where the owners of a chunk begin, behind factors, constants and commonness. */
const OWNERS_AT = CHUNK_ROWS * 6
/** Fixed point, in the units of kernel.ts: what stands for 1. Sums are shifted right by 12 bits in the end. */
const FACTOR = 512
/** Eight times what vectors of a model have: more would leave the 32 bits of a product. */
const FACTOR_MAX = 4_096
const CONSTANT = 8_192
const COMMONNESS = 16_384
const SHIFT = 4_096
/**
 * How far an estimate may lie below the cosine, and the first below the second, before a row is passed
 * over; to be divided by the root of the dimension. Three and a half deviations, and two thirds of one.
 */
const MARGIN = 2
const SLACK = 0.4
/** The margin for rows that are left out only because others have more: one and a third deviations. */
const DOUBT = 0.75
/** Above what numbers of a normal distribution need (1.57), and within the 32 bits of a product. */
const LIFT_MAX = 2
/** Most queries need no more; those that do mostly need more than the second batch, too. */
const FIRST_BATCH = 256
/** Below all values. */
const FLOOR_MIN = -(2 ** 30)

/** Where the signs lie, and what scans them. */
type ScannedMemory = { readonly memory: CodeMemory; readonly scanners: SignScanners }

type SignQuery = {
  vector: Float32Array
  /** Units of strength for a cosine of 1, and for a commonness of 1. */
  cosine: number
  commonness: number
  points: Points
  /** Weaker rows are of no interest. */
  strengthMin: number
  /** What every row has besides, in units of strength. */
  constant: number
}

/** `firstAreTypical`: the first rows that are looked at may tell what the others have to reach. */
export type NearestWanted = { count: number; firstAreTypical: boolean }

export type Found = {
  /** The best first. To be taken before the next scan. */
  batches: Iterable<FoundBatch>
  /** What a row that was left out may have, in units of strength. */
  leftOutMax: number
  /** There may be fewer rows than were wanted, because the first ones were not like the others. */
  isShort: boolean
}
type FoundBatch = {
  /** The owners of the rows. One of several such rows is there several times. */
  owners: Uint32Array
  /** What a row of a later batch may have, in units of strength. */
  restMax: number
}

export class Signs {
  readonly #memory: CodeMemory
  readonly #scanners: SignScanners
  readonly #centroid: Centroid
  readonly #chunks: Chunks
  readonly #width: number
  /** Chunks with a row that is not its own owner, or once had one. */
  readonly #spread = new Set<number>()

  constructor({ memory, scanners }: ScannedMemory, centroid: Centroid) {
    this.#memory = memory
    this.#scanners = scanners
    this.#centroid = centroid
    this.#width = Math.ceil(centroid.dimension / AXES_A_STEP) * SIGN_BYTES_A_STEP
    this.#chunks = new Chunks(memory, {
      rows: CHUNK_ROWS,
      bytes: CHUNK_ROWS * (HEAD_BYTES + this.#width),
    })
  }

  get bytes(): number {
    return this.#chunks.bytes
  }

  /** `owner` is the row that has the points. */
  write(row: number, owner: number, { rest, product }: FromCentroid, commonness: number): void {
    if (this.#chunks.makeRoom(row)) this.#clearLast()
    const { buffer } = this.#memory
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    const place = this.#chunks.placeOf(row)
    let size = 0
    let squares = 0
    const signs = new Uint8Array(buffer, this.#signsOf(row), this.#width).fill(0)
    for (let axis = 0; axis < rest.length; axis += 1) {
      const value = rest[axis] ?? 0
      size += Math.abs(value)
      squares += value * value
      if (value > 0) signs[axis >> 3] = (signs[axis >> 3] ?? 0) | (1 << (axis & 7))
    }
    // The estimate of RaBitQ: the product with the signs, times what makes it true for the row itself.
    const factor = size === 0 ? 0 : (squares / size) * Math.sqrt(rest.length)
    const heads = new Int16Array(buffer, chunk, CHUNK_ROWS * 3)
    heads[place] = Math.min(FACTOR_MAX, Math.round(factor * FACTOR))
    heads[CHUNK_ROWS + place] = within(product * CONSTANT)
    heads[CHUNK_ROWS * 2 + place] = within(commonness * COMMONNESS)
    new Uint32Array(buffer, chunk + OWNERS_AT, CHUNK_ROWS)[place] = owner
    if (owner !== row) this.#spread.add(this.#chunks.chunkOf(row))
  }

  /** The row is not found any more, until it is written again, and a copy has nothing of its vector. */
  clear(row: number): void {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    const place = this.#chunks.placeOf(row)
    const heads = new Int16Array(this.#memory.buffer, chunk, CHUNK_ROWS * 3)
    heads[place] = 0
    heads[CHUNK_ROWS + place] = -NUMBER_MAX
    heads[CHUNK_ROWS * 2 + place] = 0
    new Uint8Array(this.#memory.buffer, this.#signsOf(row), this.#width).fill(0)
  }

  /** The rows with the greatest estimates: about `count` of them, and more where many are equal. */
  nearest(query: SignQuery, { count, firstAreTypical }: NearestWanted): Found {
    const { kernel, room, buffer } = this.#memory
    const { vector, cosine, commonness, points, strengthMin, constant } = query
    const { rest, whole: ofCentroid } = this.#centroid.query(vector)
    const weights = this.#weigh(rest, cosine / points.unit, commonness / points.unit)
    const deviation = cosine / Math.sqrt(vector.length) / points.unit
    const floor = (strengthMin - constant - cosine * ofCentroid) / points.unit - MARGIN * deviation
    const slack = Math.ceil(SLACK * deviation)
    for (const chunk of this.#spread) {
      const owners = this.#ownerAt(chunk * CHUNK_ROWS)
      kernel.spreadPoints(owners, CHUNK_ROWS, chunk * CHUNK_ROWS, points.address)
    }
    const addresses = new Uint32Array(buffer, room.chunks, this.#chunks.count)
    for (let chunk = 0; chunk < addresses.length; chunk += 1) {
      addresses[chunk] = this.#chunks.addressOf(chunk)
    }
    const best = this.#scanners.run({
      chunks: addresses.length,
      addresses: room.chunks,
      width: this.#width,
      signs: room.signs,
      points: points.address,
      ...weights,
      slack,
      count,
      firstAreTypical: firstAreTypical ? 1 : 0,
      floor: Math.max(FLOOR_MIN, Math.floor(floor)),
    })
    const withDoubt = (value: number): number =>
      (value + DOUBT * deviation) * points.unit + constant + cosine * ofCentroid
    const leftOutMax = withDoubt(best.least)
    return { batches: this.#batches(best, withDoubt), leftOutMax, isShort: best.isShort }
  }

  *#batches(best: Best, withDoubt: (value: number) => number): Generator<FoundBatch> {
    const words = new Uint32Array(this.#memory.buffer)
    const ownerOf = (row: number): number =>
      words[this.#ownerAt(row) / Uint32Array.BYTES_PER_ELEMENT] ?? row
    for (const { places, restMax } of best.batches(FIRST_BATCH)) {
      const owners = this.#spread.size === 0 ? places : places.map(ownerOf)
      yield { owners, restMax: withDoubt(restMax) }
    }
  }

  save(to: CopyWriter): void {
    this.#chunks.save(to)
    to.numbers(...this.#spread)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#chunks.restore(from)
    for (const chunk of from.numbers()) this.#spread.add(chunk)
  }

  release(): void {
    this.#chunks.release()
  }

  /** Signs and marks of the query, and what a row's value is made with. */
  #weigh(rest: Float32Array, cosine: number, commonness: number) {
    const { buffer, room } = this.#memory
    // Two sizes describe numbers of a normal distribution best when .98 of a deviation parts them (Max, 1960).
    let squares = 0
    for (let axis = 0; axis < rest.length; axis += 1) squares += (rest[axis] ?? 0) ** 2
    const deviation = Math.sqrt(squares / rest.length)
    const signs = new Uint8Array(buffer, room.signs, this.#width).fill(0)
    const marks = new Uint8Array(buffer, room.signs + this.#width, this.#width).fill(0)
    let sum = 0
    let sumOfGreater = 0
    let greaterOnes = 0
    for (let axis = 0; axis < rest.length; axis += 1) {
      const size = Math.abs(rest[axis] ?? 0)
      const bit = 1 << (axis & 7)
      sum += size
      if ((rest[axis] ?? 0) > 0) signs[axis >> 3] = (signs[axis >> 3] ?? 0) | bit
      if (size < deviation) continue
      sumOfGreater += size
      greaterOnes += 1
      marks[axis >> 3] = (marks[axis >> 3] ?? 0) | bit
    }
    const lesserOnes = rest.length - greaterOnes
    const lesser = (sum - sumOfGreater) / Math.max(1, lesserOnes)
    const greater = sumOfGreater / Math.max(1, greaterOnes)
    const mean = sum / rest.length
    const one = liftOf(squares, rest.length * mean ** 2)
    const two = liftOf(squares, lesserOnes * lesser ** 2 + greaterOnes * greater ** 2)
    // An axis whose signs differ counts twice: it is missing, and it is against.
    const scale = (cosine * (SHIFT / FACTOR)) / Math.sqrt(rest.length)
    return {
      whole: Math.round(two * scale * sum),
      each: Math.round(2 * two * scale * lesser),
      more: Math.round(2 * two * scale * (greater - lesser)),
      wholeCoarse: Math.round(one * scale * sum),
      coarse: Math.round(2 * one * scale * mean),
      straight: Math.round((cosine * SHIFT) / CONSTANT),
      typical: Math.round((commonness * SHIFT) / COMMONNESS),
    }
  }

  #ownerAt(row: number): number {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    return chunk + OWNERS_AT + this.#chunks.placeOf(row) * Uint32Array.BYTES_PER_ELEMENT
  }

  #signsOf(row: number): number {
    const chunk = this.#chunks.addressOf(this.#chunks.chunkOf(row))
    return chunk + CHUNK_ROWS * HEAD_BYTES + this.#chunks.placeOf(row) * this.#width
  }

  /** Rows that nobody has written are like nothing, and own themselves. */
  #clearLast(): void {
    const { buffer } = this.#memory
    const last = this.#chunks.count - 1
    const address = this.#chunks.addressOf(last)
    new Int16Array(buffer, address + CHUNK_ROWS * 2, CHUNK_ROWS).fill(-NUMBER_MAX)
    const owners = new Uint32Array(buffer, address + OWNERS_AT, CHUNK_ROWS)
    for (let place = 0; place < CHUNK_ROWS; place += 1) owners[place] = last * CHUNK_ROWS + place
  }
}

/**
 * One size in the place of many makes products too small, by as much as it makes the sum of the squares
 * smaller. Lifted by that, estimates are right on average for rows at an angle to the query, and too great
 * only for those that are nearly the same. decisions/2026-11-21-search-at-scale.md
 */
const liftOf = (squares: number, ofSizes: number): number =>
  Math.min(LIFT_MAX, squares / Math.max(Number.MIN_VALUE, ofSizes))

const within = (value: number): number =>
  Math.max(-NUMBER_MAX, Math.min(NUMBER_MAX, Math.round(value)))
