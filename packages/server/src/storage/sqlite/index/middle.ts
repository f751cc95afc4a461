// The middle of a space's vectors. Those of a model point to one side (the mean of bge-small's has
// length .7), and what tells them apart is where they lie around it. Any vector would do for exact
// arithmetic, so it is taken from the first ones and then stays.

import type { SnapshotReader, SnapshotWriter } from './snapshot-file.ts'

/** A memory's vector without the middle, and the product of this rest with the middle. */
export type FromMiddle = { rest: Float32Array; product: number }

export class Middle {
  readonly #mean: Float32Array
  /** Of the moment: there is one, so that a million vectors do not leave a million behind. */
  readonly #rest: Float32Array

  constructor(mean: Float32Array) {
    this.#mean = mean
    this.#rest = new Float32Array(mean.length)
  }

  static of(vectors: readonly Float32Array[]): Middle {
    const mean = new Float32Array(vectors[0]?.length ?? 0)
    for (const vector of vectors) {
      for (let axis = 0; axis < mean.length; axis += 1) {
        mean[axis] = (mean[axis] ?? 0) + (vector[axis] ?? 0) / vectors.length
      }
    }
    return new Middle(mean)
  }

  static restored(from: SnapshotReader): Middle {
    return new Middle(from.array(Float32Array))
  }

  save(to: SnapshotWriter): void {
    to.array(this.#mean)
  }

  get dimension(): number {
    return this.#mean.length
  }

  /** Valid until the next call. */
  of(vector: Float32Array): FromMiddle {
    const rest = this.#rest
    let product = 0
    for (let axis = 0; axis < rest.length; axis += 1) {
      const middle = this.#mean[axis] ?? 0
      const value = (vector[axis] ?? 0) - middle
      rest[axis] = value
      product += value * middle
    }
    return { rest, product }
  }

  /**
   * For the product with any memory's vector: that of the rests, plus the `product` of the memory,
   * plus `whole`, the product of the query with the middle.
   */
  query(vector: Float32Array): { rest: Float32Array; whole: number } {
    const rest = new Float32Array(vector.length)
    let whole = 0
    for (let axis = 0; axis < rest.length; axis += 1) {
      const value = vector[axis] ?? 0
      const middle = this.#mean[axis] ?? 0
      rest[axis] = value - middle
      whole += value * middle
    }
    return { rest, whole }
  }
}
