// The greatest of very many values: the least value that still counts rises as more are seen, so that
// the scan passes over nearly all rows. Values are counted in bins, which takes no sorting, and a thread
// uses the same room for all of its scans, which leaves no garbage.

const BINS = 4_096
/** Values of estimates lie within this, but for a few; those count as the outermost. */
const VALUE_MAX = 1 << 15
const BIN_VALUES = (2 * VALUE_MAX) / BINS
const FIRST_ROOM = 16_384
const SHARES = 2
const ENOUGH_MIN = 64

type Batch = {
  places: Uint32Array
  /** The values of all later batches are less. */
  restMax: number
}

export class Best {
  readonly #bins = new Uint32Array(BINS)
  /** By bin, the batch that its values are in. */
  readonly #batchOf = new Uint8Array(BINS)
  /** Places and values in turn. */
  #pairs = new Int32Array(FIRST_ROOM)
  #length = 0
  #count = 0
  /** How many values there are in all; 0 when the first ones say nothing about the others. */
  #total = 0
  #seen = 0
  /** Values below this are known not to be among the best. */
  #floor = 0
  /** The bin from which on enough values were seen. */
  #bin = 0
  #inBins = 0

  /**
   * Forgets what it has seen, and looks for the `count` greatest values that are not below the floor. With a
   * `total` the first values tell what later ones have to reach: so they have to be a fair sample of all.
   */
  begin({ count, total, floor }: { count: number; total: number; floor: number }): void {
    this.#bins.fill(0)
    this.#length = 0
    this.#count = count
    this.#total = total
    this.#seen = 0
    this.#floor = floor
    this.#bin = 0
    this.#inBins = 0
  }

  /** Values below this are not among the best. */
  get least(): number {
    const ofBin = this.#bin === 0 ? -(2 ** 30) : this.#bin * BIN_VALUES - VALUE_MAX
    return Math.max(ofBin, this.#floor)
  }

  /** Another thread has seen enough values that are not below this floor. */
  raise(floor: number): void {
    this.#floor = Math.max(this.#floor, floor)
  }

  /** Whether there are fewer than were looked for, though others may have been passed over. */
  get isShort(): boolean {
    return this.#inBins < this.#count
  }

  /** `found`: places and values in turn, of those that reach `least` among so many more values. */
  offer(found: Int32Array, among: number): void {
    this.#seen += among
    this.#makeRoom(this.#length + found.length)
    this.#pairs.set(found, this.#length)
    const end = this.#length + found.length
    for (let at = this.#length; at < end; at += 2) {
      const bin = binOf(this.#pairs[at + 1] ?? 0)
      this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
      if (bin >= this.#bin) this.#inBins += 1
    }
    this.#length = end
    const enough = this.#enough()
    while (this.#inBins - (this.#bins[this.#bin] ?? 0) >= enough) {
      this.#inBins -= this.#bins[this.#bin] ?? 0
      this.#bin += 1
    }
  }

  /**
   * How many of the values seen by now are enough. Of a part of all values twice its share of the best, and some
   * more: that is seldom too few, and not many too many.
   */
  #enough(): number {
    if (this.#total === 0) return this.#count
    const ofShare = SHARES * this.#count * (this.#seen / this.#total)
    return Math.min(this.#count, Math.ceil(ofShare) + ENOUGH_MIN)
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

  /**
   * What was found, the greatest in the first batch of about so many, and twice as many in each later one. They
   * hold until the next offer.
   */
  *batches(firstCount: number): Generator<Batch> {
    const { least } = this
    const { batches, count } = this.#partBins(binOf(least), firstCount)
    const ends = batches.map(({ from }) => from)
    // All batches in one pass: it takes no longer than to look for the first one.
    const places = new Uint32Array(count)
    for (let at = 0; at < this.#length; at += 2) {
      const value = this.#pairs[at + 1] ?? 0
      if (value < least) continue
      const batch = this.#batchOf[binOf(value)] ?? 0
      const end = ends[batch] ?? 0
      places[end] = this.#pairs[at] ?? 0
      ends[batch] = end + 1
    }
    for (const [batch, { from, restMax }] of batches.entries()) {
      yield { places: places.subarray(from, ends[batch]), restMax }
    }
  }

  /** Parts the bins from the `lowest` on into batches. A batch begins where the greater ones end at most. */
  #partBins(lowest: number, firstCount: number) {
    const batches: { from: number; restMax: number }[] = []
    let count = 0
    let wanted = firstCount
    for (let bin = BINS; bin > lowest; wanted = 2 * firstCount) {
      const from = count
      while (bin > lowest && count - from < wanted) {
        bin -= 1
        this.#batchOf[bin] = batches.length
        count += this.#bins[bin] ?? 0
      }
      const least = bin * BIN_VALUES - VALUE_MAX
      batches.push({ from, restMax: bin === lowest ? Number.NEGATIVE_INFINITY : least })
    }
    return { batches, count }
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
