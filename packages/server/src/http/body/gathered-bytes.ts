// Bytes that come in pieces, kept as one block. How small the pieces are is up to whoever sends them, and
// each, kept by itself, takes two hundred times the room of a single byte: a body of the allowed size would
// take hundreds of megabytes.

const NOTHING = Buffer.alloc(0)

export class GatheredBytes {
  #block: Buffer = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) {
      // Nearly always all there is. Nothing is ever written into it, since it has no room left.
      this.#block = piece
      this.#length = length
      return
    }
    if (length > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#block.length))
      this.#block.copy(larger, 0, 0, this.#length)
      this.#block = larger
    }
    piece.copy(this.#block, this.#length)
    this.#length = length
  }

  /** All of them. From now on there are none. */
  take(): Buffer {
    const bytes = this.#block.subarray(0, this.#length)
    this.#block = NOTHING
    this.#length = 0
    return bytes
  }
}
