// Hubness: some texts lie near to everything, their vectors are hubs, and they would be found for
// questions they have nothing to do with. How near a text lies to words in general is measured against
// a fixed reference, the vectors of two thousand common words made by the same model, and the score
// takes a part of it off. So a cosine means more nearly the same for every text, and nothing depends on
// anybody's other memories. The correction is that of cross-domain similarity local scaling (Conneau
// et al. 2018, "Word translation without parallel data"), with the reference for the neighbours.
// Every text that is embedded is compared with the whole reference, so the loop is a compiled one:
// decisions/2026-11-21-commonness-compiled.md
import { NUMBERS_A_STEP, newProducts, type Products } from './products.ts'

/** Rows of signed bytes, one behind the other, and what each is multiplied by to have unit length. */
export type Reference = { codes: Int8Array; scales: Float64Array; dimension: number }

const NEIGHBOURS = 10

/** Measures by one reference, in room of its own: one for each thread. */
export class Commonness {
  readonly #scales: Float64Array
  readonly #width: number
  readonly #products: Products
  /** Places in the memory of the products; the rows lie at its beginning. */
  readonly #at: { vector: number; products: number }

  constructor({ codes, scales, dimension }: Reference) {
    const width = Math.ceil(dimension / NUMBERS_A_STEP) * NUMBERS_A_STEP
    const vector = scales.length * width
    const products = vector + width * Float32Array.BYTES_PER_ELEMENT
    this.#scales = scales
    this.#width = width
    this.#at = { vector, products }
    this.#products = newProducts(products + scales.length * Float32Array.BYTES_PER_ELEMENT)
    const rows = new Int8Array(this.#products.memory.buffer)
    for (let row = 0; row < scales.length; row += 1) {
      rows.set(codes.subarray(row * dimension, (row + 1) * dimension), row * width)
    }
  }

  /** The mean of the ten highest cosines with the reference. The vector has unit length. */
  of(vector: Float32Array): number {
    const { memory, multiply } = this.#products
    const scales = this.#scales
    new Float32Array(memory.buffer, this.#at.vector, this.#width).set(vector)
    multiply(0, scales.length, this.#width, this.#at.vector, this.#at.products)
    const products = new Float32Array(memory.buffer, this.#at.products, scales.length)
    // Ascending: the first is the one to beat.
    const nearest = new Float64Array(NEIGHBOURS).fill(-1)
    for (let row = 0; row < scales.length; row += 1) {
      const cosine = (products[row] ?? 0) * (scales[row] ?? 0)
      if (cosine > (nearest[0] ?? 0)) insert(nearest, cosine)
    }
    return nearest.reduce((sum, cosine) => sum + cosine, 0) / NEIGHBOURS
  }
}

function insert(ascending: Float64Array, value: number): void {
  let place = 0
  while (place + 1 < ascending.length && value > (ascending[place + 1] ?? 0)) {
    ascending[place] = ascending[place + 1] ?? 0
    place += 1
  }
  ascending[place] = value
}
