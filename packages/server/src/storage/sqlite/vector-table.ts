// The vectors of one space, one behind the other in a single block of memory, so that a scan reads
// it from front to back as fast as the memory gives. Rows of removed vectors are used again.

const FIRST_ROWS = 16
const GROWTH = 1.5

export class VectorTable {
  #block = new Float32Array(0)
  #dimension = 0
  #rows = 0
  readonly #free: number[] = []

  /** What the table takes in memory, the room for further rows included. */
  get bytes(): number {
    return this.#block.byteLength
  }

  /** Returns the row. All vectors of a table have the same length. */
  add(vector: Float32Array): number {
    this.#dimension = vector.length
    const row = this.#free.pop() ?? this.#rows++
    if ((row + 1) * this.#dimension > this.#block.length) this.#grow()
    this.#block.set(vector, row * this.#dimension)
    return row
  }

  remove(row: number): void {
    this.#free.push(row)
  }

  /** Four sums at a time, which the processor adds side by side. */
  dot(row: number, vector: Float32Array): number {
    const block = this.#block
    const start = row * this.#dimension
    const quads = vector.length - (vector.length % 4)
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let i = 0, j = start; i < quads; i += 4, j += 4) {
      a += (block[j] ?? 0) * (vector[i] ?? 0)
      b += (block[j + 1] ?? 0) * (vector[i + 1] ?? 0)
      c += (block[j + 2] ?? 0) * (vector[i + 2] ?? 0)
      d += (block[j + 3] ?? 0) * (vector[i + 3] ?? 0)
    }
    let rest = 0
    for (let i = quads; i < vector.length; i += 1) {
      rest += (block[start + i] ?? 0) * (vector[i] ?? 0)
    }
    return a + b + c + d + rest
  }

  #grow(): void {
    const rows = Math.max(FIRST_ROWS, Math.ceil(this.#rows * GROWTH))
    const block = new Float32Array(rows * this.#dimension)
    block.set(this.#block)
    this.#block = block
  }
}
