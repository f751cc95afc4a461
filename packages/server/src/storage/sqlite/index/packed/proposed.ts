// The rows that a search has proposed already: each is looked at once.

export class Proposed {
  /** By row, 1 for those that were proposed. */
  #proposed = new Uint8Array(0)
  #lists: Uint32Array[] = []

  /** The wanted rows in the order in which they come first, but for those that were proposed before. */
  once(
    lists: readonly ArrayLike<number>[],
    { end, isWanted }: { end: number; isWanted: (row: number) => boolean },
  ): Uint32Array {
    this.#makeRoom(end)
    const proposed = this.#proposed
    const fresh = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
    let count = 0
    for (const rows of lists) {
      for (let place = 0; place < rows.length; place += 1) {
        const row = rows[place] ?? 0
        if (proposed[row] !== 0 || !isWanted(row)) continue
        proposed[row] = 1
        fresh[count] = row
        count += 1
      }
    }
    const found = fresh.subarray(0, count)
    this.#lists.push(found)
    return found
  }

  forget(): void {
    for (const rows of this.#lists.splice(0)) {
      for (let place = 0; place < rows.length; place += 1) this.#proposed[rows[place] ?? 0] = 0
    }
  }

  /** All rows are less than `end`. */
  #makeRoom(end: number): void {
    if (this.#proposed.length >= end) return
    const longer = new Uint8Array(Math.ceil(end * 1.25))
    longer.set(this.#proposed)
    this.#proposed = longer
  }
}
