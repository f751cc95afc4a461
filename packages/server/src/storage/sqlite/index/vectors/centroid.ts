// The centroid of a space's vectors. Those of a model point to one side (the mean of bge-small's has
// length .7), and what tells them apart is where they lie around it. Any vector would do for exact
// arithmetic, so it is taken from the newest 500 memories when the index is made, and then stays.
import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'

/** A memory's vector less the centroid, and the product of this rest with the centroid. */
export type FromCentroid = { rest: Float32Array; product: number }

export class Centroid {
  readonly #mean: Float32Array
  /** Of the moment: there is one, so that a million vectors do not leave a million behind. */
  readonly #rest: Float32Array

  constructor(mean: Float32Array) {
    this.#mean = mean
    this.#rest = new Float32Array(mean.length)
  }

  static of(vectors: readonly Float32Array[]): Centroid {
    const mean = new Float32Array(vectors[0]?.length ?? 0)
    for (const vector of vectors) {
      for (let axis = 0; axis < mean.length; axis += 1) {
        mean[axis] = (mean[axis] ?? 0) + (vector[axis] ?? 0) / vectors.length
      }
    }
    return new Centroid(mean)
  }

  static *restored(from: CopyReader): Reading<Centroid> {
    return new Centroid(yield* from.array(Float32Array))
  }

  save(to: CopyWriter): void {
    to.array(this.#mean)
  }

  get dimension(): number {
    return this.#mean.length
  }

  /** Valid until the next call. */
  of(vector: Float32Array): FromCentroid {
    const rest = this.#rest
    let product = 0
    for (let axis = 0; axis < rest.length; axis += 1) {
      const centroid = this.#mean[axis] ?? 0
      const value = (vector[axis] ?? 0) - centroid
      rest[axis] = value
      product += value * centroid
    }
    return { rest, product }
  }

  /**
   * For the product with any memory's vector: that of the rests, plus the `product` of the memory,
   * plus `whole`, the product of the query with the centroid.
   */
  query(vector: Float32Array): { rest: Float32Array; whole: number } {
    const rest = new Float32Array(vector.length)
    let whole = 0
    for (let axis = 0; axis < rest.length; axis += 1) {
      const value = vector[axis] ?? 0
      const centroid = this.#mean[axis] ?? 0
      rest[axis] = value - centroid
      whole += value * centroid
    }
    return { rest, whole }
  }
}
