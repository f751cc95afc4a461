// Numbers for things that come and go, as small as possible, so that what belongs to them can stand
// in typed arrays. The number of a thing that went is used again.

export class Slots {
  #end = 0
  readonly #free: number[] = []

  /** One more than the greatest number so far. */
  get end(): number {
    return this.#end
  }

  take(): number {
    return this.#free.pop() ?? this.#end++
  }

  giveBack(slot: number): void {
    this.#free.push(slot)
  }
}

const FIRST_ROOM = 16
const GROWTH = 1.5

/** The column itself, or a longer copy of it, with room for the slot. */
export function withRoom<Column extends Int32Array | Uint32Array | Float32Array | Uint8Array>(
  column: Column,
  slot: number,
): Column {
  if (slot < column.length) return column
  // A typed array's constructor makes its own kind.
  const Kind = column.constructor as new (length: number) => Column
  const longer = new Kind(Math.max(FIRST_ROOM, Math.ceil((slot + 1) * GROWTH)))
  longer.set(column)
  return longer
}
