// The middle of a space's vectors. Those of a model point to one side (the mean of bge-small's has
// length .7), and what tells them apart is where they lie around it. Any vector would do for exact
// arithmetic, so it is taken from the first ones and then stays.

/** A memory's vector without the middle, and the product of this rest with the middle. */
export type FromMiddle = { rest: Float32Array; product: number }

export class Middle {
  readonly #mean: Float32Array
  /** Of the moment: there is one, so that a million vectors do not leave a million behind. */
  readonly #rest: Float32Array

  constructor(vectors: readonly Float32Array[], dimension: number) {
    this.#mean = new Float32Array(dimension)
    this.#rest = new Float32Array(dimension)
    for (const vector of vectors) {
      for (let axis = 0; axis < dimension; axis += 1) {
        this.#mean[axis] = (this.#mean[axis] ?? 0) + (vector[axis] ?? 0) / vectors.length
      }
    }
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
    const rest = vector.map((value, axis) => value - (this.#mean[axis] ?? 0))
    const whole = vector.reduce((sum, value, axis) => sum + value * (this.#mean[axis] ?? 0), 0)
    return { rest, whole }
  }
}
