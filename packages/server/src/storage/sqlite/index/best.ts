// The greatest of very many values: the least value that still counts rises as more are seen, so that
// the scan passes over nearly all rows. Values are counted in bins, which takes no sorting.

const BINS = 4_096
/** Values of estimates lie within this, but for a few; those count as the outermost. */
const VALUE_MAX = 1 << 15
const BIN_VALUES = (2 * VALUE_MAX) / BINS

export class Best {
  readonly #count: number
  /** What was asked for at least. */
  readonly #floor: number
  readonly #bins = new Uint32Array(BINS)
  readonly #places: number[] = []
  readonly #values: number[] = []
  /** The bin from which on `count` values were seen. */
  #bin = 0
  #inBins = 0

  constructor(count: number, least: number) {
    this.#count = count
    this.#floor = least
  }

  /** Whoever has less is not among the best. */
  get least(): number {
    const ofBin = this.#bin === 0 ? -(2 ** 30) : this.#bin * BIN_VALUES - VALUE_MAX
    return Math.max(ofBin, this.#floor)
  }

  /** Places and values in turn. */
  offer(found: Int32Array): void {
    for (let at = 0; at < found.length; at += 2) {
      const value = found[at + 1] ?? 0
      const bin = binOf(value)
      this.#places.push(found[at] ?? 0)
      this.#values.push(value)
      this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
      if (bin >= this.#bin) this.#inBins += 1
    }
    while (this.#inBins - (this.#bins[this.#bin] ?? 0) >= this.#count) {
      this.#inBins -= this.#bins[this.#bin] ?? 0
      this.#bin += 1
    }
  }

  places(): number[] {
    const { least } = this
    return this.#places.filter((_, at) => (this.#values[at] ?? 0) >= least)
  }

  /** Places and values in turn, to be offered to another one. */
  pairs(): number[] {
    const { least } = this
    const pairs: number[] = []
    for (const [at, value] of this.#values.entries()) {
      if (value >= least) pairs.push(this.#places[at] ?? 0, value)
    }
    return pairs
  }
}

const binOf = (value: number): number =>
  Math.max(0, Math.min(BINS - 1, Math.floor((value + VALUE_MAX) / BIN_VALUES)))
