// Which pieces a memory has, and which rows of the table of vectors each piece has: the piece itself,
// then its sentences. As lists in typed arrays, so that a search goes through all memories of a space
// without touching an object for any of them.
import { Slots, withRoom } from './slots.ts'

/** Ends a list. */
export const NONE = -1

export class MemoryColumns {
  readonly #memories = new Slots()
  readonly #units = new Slots()
  #all = new Uint32Array(0)
  /** By memory. */
  firstUnit = new Int32Array(0)
  isAsking = new Uint8Array(0)
  /** By unit. */
  nextUnit = new Int32Array(0)
  firstRow = new Int32Array(0)
  /** By row. */
  nextRow = new Int32Array(0)

  /** One more than the greatest number of a memory. */
  get end(): number {
    return this.#memories.end
  }

  /** Every number there ever was, those that are free now included. */
  get all(): Uint32Array {
    const { end } = this.#memories
    if (this.#all.length < end) {
      this.#all = Uint32Array.from({ length: end * 2 }, (_, number) => number)
    }
    return this.#all.subarray(0, end)
  }

  get unitEnd(): number {
    return this.#units.end
  }

  /** `rows` are those of each unit. Returns the numbers that memory and units got. */
  add(rows: readonly number[][], isAsking: boolean): { memory: number; units: number[] } {
    const memory = this.#memories.take()
    const units = rows.map(() => this.#units.take())
    this.firstUnit = withRoom(this.firstUnit, memory)
    this.isAsking = withRoom(this.isAsking, memory)
    this.isAsking[memory] = isAsking ? 1 : 0
    this.firstUnit[memory] = units[0] ?? NONE
    for (const [place, unit] of units.entries()) {
      this.nextUnit = withRoom(this.nextUnit, unit)
      this.firstRow = withRoom(this.firstRow, unit)
      this.nextUnit[unit] = units[place + 1] ?? NONE
      this.firstRow[unit] = rows[place]?.[0] ?? NONE
      this.#linkRows(rows[place] ?? [])
    }
    return { memory, units }
  }

  /** Afterwards the number has no units until it is taken again. */
  remove(memory: number): void {
    for (const unit of this.unitsOf(memory)) this.#units.giveBack(unit)
    this.firstUnit[memory] = NONE
    this.#memories.giveBack(memory)
  }

  unitsOf(memory: number): number[] {
    return listed(this.firstUnit[memory], this.nextUnit)
  }

  rowsOf(unit: number): number[] {
    return listed(this.firstRow[unit], this.nextRow)
  }

  #linkRows(rows: readonly number[]): void {
    for (const [place, row] of rows.entries()) {
      this.nextRow = withRoom(this.nextRow, row)
      this.nextRow[row] = rows[place + 1] ?? NONE
    }
  }
}

function listed(first: number | undefined, next: Int32Array): number[] {
  const list: number[] = []
  for (let item = first ?? NONE; item !== NONE; item = next[item] ?? NONE) list.push(item)
  return list
}
