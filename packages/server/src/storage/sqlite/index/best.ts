// The greatest of very many values: the least value that still counts rises as more are seen, so that
// the scan passes over nearly all rows. Values are counted in bins, which takes no sorting, and a thread
// uses the same room for all of its scans, which leaves no garbage.

const BINS = 4_096
/** Values of estimates lie within this, but for a few; those count as the outermost. */
const VALUE_MAX = 1 << 15
const BIN_VALUES = (2 * VALUE_MAX) / BINS
const FIRST_ROOM = 16_384

export class Best {
  readonly #bins = new Uint32Array(BINS)
  /** Places and values in turn. */
  #pairs = new Int32Array(FIRST_ROOM)
  #length = 0
  #count = 0
  /** What is less is known not to be among the best. */
  #floor = 0
  /** The bin from which on `count` values were seen. */
  #bin = 0
  #inBins = 0

  /** Forgets what it has seen. From now on `count` values are looked for, and none below the floor. */
  begin(count: number, floor: number): void {
    this.#bins.fill(0)
    this.#length = 0
    this.#count = count
    this.#floor = floor
    this.#bin = 0
    this.#inBins = 0
  }

  /** What is less is not among the best. */
  get least(): number {
    const ofBin = this.#bin === 0 ? -(2 ** 30) : this.#bin * BIN_VALUES - VALUE_MAX
    return Math.max(ofBin, this.#floor)
  }

  /** Another thread has seen enough values that are not less. */
  raise(floor: number): void {
    this.#floor = Math.max(this.#floor, floor)
  }

  /** Places and values in turn. */
  offer(found: Int32Array): void {
    this.#makeRoom(this.#length + found.length)
    this.#pairs.set(found, this.#length)
    const end = this.#length + found.length
    for (let at = this.#length; at < end; at += 2) {
      const bin = binOf(this.#pairs[at + 1] ?? 0)
      this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
      if (bin >= this.#bin) this.#inBins += 1
    }
    this.#length = end
    while (this.#inBins - (this.#bins[this.#bin] ?? 0) >= this.#count) {
      this.#inBins -= this.#bins[this.#bin] ?? 0
      this.#bin += 1
    }
  }

  /** Places and values in turn, to be offered to another one. They hold until the next offer. */
  pairs(): Int32Array {
    const { least } = this
    const pairs = this.#pairs
    let kept = 0
    for (let at = 0; at < this.#length; at += 2) {
      const value = pairs[at + 1] ?? 0
      if (value < least) continue
      pairs[kept] = pairs[at] ?? 0
      pairs[kept + 1] = value
      kept += 2
    }
    this.#length = kept
    return pairs.subarray(0, kept)
  }

  places(): Uint32Array {
    const pairs = this.pairs()
    const places = new Uint32Array(pairs.length / 2)
    for (let at = 0; at < places.length; at += 1) places[at] = pairs[2 * at] ?? 0
    return places
  }

  #makeRoom(length: number): void {
    if (length <= this.#pairs.length) return
    const longer = new Int32Array(Math.max(length, 2 * this.#pairs.length))
    longer.set(this.#pairs)
    this.#pairs = longer
  }
}

const binOf = (value: number): number =>
  Math.max(0, Math.min(BINS - 1, Math.floor((value + VALUE_MAX) / BIN_VALUES)))
