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

  /** What `restore` needs. */
  get state(): { end: number; free: Uint32Array } {
    return { end: this.#end, free: Uint32Array.from(this.#free) }
  }

  restore({ end, free }: { end: number; free: Uint32Array }): void {
    this.#end = end
    this.#free.length = 0
    for (const slot of free) this.#free.push(slot)
  }
}

const FIRST_ROOM = 16
const GROWTH = 1 / 2
/** Long columns grow by a smaller share: what they have in reserve is memory that nobody uses. */
const LONG = 65_536
const GROWTH_OF_LONG = 1 / 8

type Column = Int32Array | Uint32Array | Float32Array | Float64Array | Uint8Array | Uint16Array

/** The column itself, or a longer copy of it, with room for the slot. */
export function withRoom<Kind extends Column>(column: Kind, slot: number): Kind {
  if (slot < column.length) return column
  // A typed array's constructor makes its own kind.
  const Same = column.constructor as new (length: number) => Kind
  const reserve = Math.ceil(slot * (slot < LONG ? GROWTH : GROWTH_OF_LONG))
  const longer = new Same(Math.max(FIRST_ROOM, slot + 1 + reserve))
  longer.set(column)
  return longer
}
