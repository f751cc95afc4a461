// What waits under a number until it is taken. The slots are used again, so that nothing which was taken can
// be reached any more. A Map that takes in and gives away all the time does not promise that: each table
// that it has outgrown keeps its entries and knows the next one, and once one of them is old, a collection
// of young objects keeps all that follow. decisions/2026-11-25-calls-wait-in-slots.md

/** A number tells its slot, and that it is not one of those which had the slot before. */
const SLOTS_MAX = 2 ** 20
const USES_MAX = 2 ** 32

export class CallSlots<Value> {
  /**
   * Not in an object with its number: V8 makes an object where old ones lie once most of its kind have grown
   * old, and there it keeps its value for longer than it waits.
   */
  readonly #values: (Value | undefined)[] = []
  /** Of each slot, 0 where it is free. */
  readonly #numbers: number[] = []
  readonly #free: number[] = []
  #uses = 0

  /** Returns the number, which is above 0. Throws where a million wait already. */
  add(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length
    if (slot === SLOTS_MAX) throw new Error('Too much waits.')
    this.#uses = (this.#uses % USES_MAX) + 1
    const number = this.#uses * SLOTS_MAX + slot
    this.#values[slot] = value
    this.#numbers[slot] = number
    return number
  }

  /** Undefined when it was taken before. */
  take(number: number): Value | undefined {
    const slot = number % SLOTS_MAX
    if (number === 0 || this.#numbers[slot] !== number) return undefined
    const value = this.#values[slot]
    this.#values[slot] = undefined
    this.#numbers[slot] = 0
    this.#free.push(slot)
    return value
  }

  takeAll(): Value[] {
    this.#numbers.splice(0)
    return this.#values.splice(0).flatMap((value) => (value === undefined ? [] : [value]))
  }
}
