// Which members a text has: the memories with a term, of a user, with a tag. Members are numbers. A
// text that few have keeps a list, one that many have a bit for each number, which takes less room
// from there on and is added and intersected eight or more members at a time.

import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import { KeyDictionary } from '../packed/key-dictionary.ts'
import { emptyList, NONE, type NumberList, NumberLists } from '../packed/number-lists.ts'
import { withRoom } from '../packed/slots.ts'

/** A list takes more room than bits when it has more than a 32nd of all numbers. */
const SPARSE = 32
const LIST_MAX = 256

/** Members as a list, or as bits. */
export type Members = { list: Uint32Array } | { bits: Uint8Array }

export class Postings {
  readonly #keys = new KeyDictionary()
  readonly #lists = new NumberLists()
  // By the number of the key.
  #first = new Uint32Array(0)
  #last = new Uint32Array(0)
  #counts = new Uint32Array(0)
  readonly #bits = new Map<number, Uint8Array>()
  #bytesOfBits = 0
  /** One more than the greatest member there ever was. */
  #end = 0

  get bytes(): number {
    const columns = this.#first.byteLength * 3
    return columns + this.#keys.bytes + this.#lists.bytes + this.#bytesOfBits
  }

  count(text: string): number {
    const key = this.#keys.find(text)
    return key === undefined ? 0 : (this.#counts[key] ?? 0)
  }

  /** Undefined when nobody has the text. Bits are the index's own, to be read at once. */
  members(text: string): Members | undefined {
    const key = this.#keys.find(text)
    if (key === undefined) return undefined
    const bits = this.#bits.get(key)
    return bits === undefined ? { list: this.#lists.read(this.#listOf(key)) } : { bits }
  }

  /** To be added once. */
  add(text: string, member: number): void {
    this.#end = Math.max(this.#end, member + 1)
    const key = this.#keys.take(text)
    const bits = this.#bits.get(key)
    if (bits === undefined) {
      const list = this.#listOf(key)
      this.#lists.add(list, member)
      this.#keep(key, list)
      if (list.count > LIST_MAX && list.count > this.#end / SPARSE) this.#toBits(key)
    } else {
      this.#setBit(key, bits, member)
      this.#counts[key] = (this.#counts[key] ?? 0) + 1
    }
  }

  /** Nothing happens when it was never added. */
  remove(text: string, member: number): void {
    const key = this.#keys.find(text)
    if (key === undefined) return
    const bits = this.#bits.get(key)
    if (bits === undefined) {
      const list = this.#listOf(key)
      if (!this.#lists.remove(list, member)) return
      this.#keep(key, list)
    } else {
      const byte = bits[member >> 3] ?? 0
      const bit = 1 << (member & 7)
      if ((byte & bit) === 0) return
      bits[member >> 3] = byte & ~bit
      this.#counts[key] = (this.#counts[key] ?? 0) - 1
    }
    if (this.#counts[key] === 0) this.#drop(key)
  }

  save(to: CopyWriter): void {
    this.#keys.save(to)
    this.#lists.save(to)
    for (const column of [this.#first, this.#last, this.#counts]) to.array(column)
    to.numbers(this.#end, ...this.#bits.keys())
    for (const bits of this.#bits.values()) to.array(bits)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#keys.restore(from)
    yield* this.#lists.restore(from)
    this.#first = yield* from.array(Uint32Array)
    this.#last = yield* from.array(Uint32Array)
    this.#counts = yield* from.array(Uint32Array)
    const [end = 0, ...keys] = from.numbers()
    this.#end = end
    for (const key of keys) {
      const bits = yield* from.array(Uint8Array)
      this.#bits.set(key, bits)
      this.#bytesOfBits += bits.length
    }
  }

  #drop(key: number): void {
    this.#bytesOfBits -= this.#bits.get(key)?.length ?? 0
    this.#bits.delete(key)
    this.#first[key] = NONE
    this.#last[key] = NONE
    this.#keys.giveBack(key)
  }

  #toBits(key: number): void {
    const list = this.#listOf(key)
    const bits = new Uint8Array(Math.ceil(this.#end / 8))
    for (const member of this.#lists.read(list)) bits[member >> 3] = byteWith(bits, member)
    this.#lists.clear(list)
    this.#bits.set(key, bits)
    this.#bytesOfBits += bits.length
  }

  #setBit(key: number, bits: Uint8Array, member: number): void {
    const roomy = withRoom(bits, member >> 3)
    roomy[member >> 3] = byteWith(roomy, member)
    if (roomy === bits) return
    this.#bits.set(key, roomy)
    this.#bytesOfBits += roomy.length - bits.length
  }

  #listOf(key: number): NumberList {
    const count = this.#counts[key] ?? 0
    if (count === 0) return emptyList()
    return { first: this.#first[key] ?? NONE, last: this.#last[key] ?? NONE, count }
  }

  #keep(key: number, list: NumberList): void {
    this.#first = withRoom(this.#first, key)
    this.#last = withRoom(this.#last, key)
    this.#counts = withRoom(this.#counts, key)
    this.#first[key] = list.first
    this.#last[key] = list.last
    this.#counts[key] = list.count
  }
}

const byteWith = (bits: Uint8Array, member: number): number =>
  (bits[member >> 3] ?? 0) | (1 << (member & 7))
