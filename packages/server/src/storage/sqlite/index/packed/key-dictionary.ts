// Numbers for texts, such as terms and user ids: small ones, given back when a text is not needed any
// more. A space can have hundreds of thousands of texts, and a Map of strings would take five times
// the memory and be walked through by every garbage collection; so the texts stand in one typed
// array, found by open addressing with linear probing. Where they stand follows from a number that nobody
// knows, so that no caller can choose texts that all want the same place.
import { randomInt } from 'node:crypto'
import type { CopyReader, CopyWriter, Reading } from './copy-file.ts'
import { Slots, withRoom } from './slots.ts'

const EMPTY = -1
const FIRST_PLACES = 16
/** Of the places in the table. */
const FILLED_MAX = 0.7
/** Code units that are let go before the texts are written anew. */
const WASTE_MIN = 4_096
/** Of this process, and kept with what is saved. */
const SEED = randomInt(2 ** 32)

export class KeyDictionary {
  readonly #slots = new Slots()
  #seed = SEED
  #size = 0
  /** Numbers, by place. */
  #table = new Int32Array(FIRST_PLACES).fill(EMPTY)
  // By number.
  #hashes = new Int32Array(0)
  #starts = new Uint32Array(0)
  #lengths = new Uint32Array(0)
  /** UTF-16. */
  #texts = new Uint16Array(0)
  #textsEnd = 0
  #waste = 0

  get bytes(): number {
    const arrays = [this.#table, this.#hashes, this.#starts, this.#lengths, this.#texts]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Undefined for a text without a number. */
  find(text: string): number | undefined {
    const number = this.#table[this.#placeOf(text, hashOf(text, this.#seed))] ?? EMPTY
    return number === EMPTY ? undefined : number
  }

  /** The number of the text, a new one if it has none. */
  take(text: string): number {
    const hash = hashOf(text, this.#seed)
    const place = this.#placeOf(text, hash)
    const known = this.#table[place] ?? EMPTY
    if (known !== EMPTY) return known
    const number = this.#slots.take()
    this.#write(number, text, hash)
    this.#table[place] = number
    this.#size += 1
    if (this.#size > this.#table.length * FILLED_MAX) this.#grow()
    return number
  }

  /** The number may stand for another text from now on. */
  giveBack(number: number): void {
    let gap = this.#hashes[number] ?? 0
    const last = this.#table.length - 1
    for (gap &= last; this.#table[gap] !== number; gap = (gap + 1) & last) {
      if (this.#table[gap] === EMPTY) return
    }
    // An entry that was pushed past the gap moves into it, so that no tombstones are needed.
    for (let place = (gap + 1) & last; ; place = (place + 1) & last) {
      const moved = this.#table[place] ?? EMPTY
      if (moved === EMPTY) break
      const wanted = (this.#hashes[moved] ?? 0) & last
      if (((place - wanted) & last) < ((place - gap) & last)) continue
      this.#table[gap] = moved
      gap = place
    }
    this.#table[gap] = EMPTY
    this.#size -= 1
    this.#slots.giveBack(number)
    this.#forget(number)
    if (this.#waste > WASTE_MIN && this.#waste > this.#textsEnd / 2) this.#compact()
  }

  save(to: CopyWriter): void {
    const { end, free } = this.#slots.state
    to.numbers(this.#seed, this.#size, this.#textsEnd, this.#waste, end)
    for (const array of [this.#table, this.#hashes, this.#starts, this.#lengths, free]) {
      to.array(array)
    }
    to.array(this.#texts.subarray(0, this.#textsEnd))
  }

  *restore(from: CopyReader): Reading {
    const [seed = 0, size = 0, textsEnd = 0, waste = 0, end = 0] = from.numbers()
    this.#seed = seed
    this.#size = size
    this.#textsEnd = textsEnd
    this.#waste = waste
    this.#table = yield* from.array(Int32Array)
    this.#hashes = yield* from.array(Int32Array)
    this.#starts = yield* from.array(Uint32Array)
    this.#lengths = yield* from.array(Uint32Array)
    this.#slots.restore({ end, free: yield* from.array(Uint32Array) })
    this.#texts = yield* from.array(Uint16Array)
  }

  /** Where the text stands, or would stand. */
  #placeOf(text: string, hash: number): number {
    const last = this.#table.length - 1
    for (let place = hash & last; ; place = (place + 1) & last) {
      const number = this.#table[place] ?? EMPTY
      if (number === EMPTY || (this.#hashes[number] === hash && this.#isText(number, text))) {
        return place
      }
    }
  }

  #isText(number: number, text: string): boolean {
    if (this.#lengths[number] !== text.length) return false
    const start = this.#starts[number] ?? 0
    for (let at = 0; at < text.length; at += 1) {
      if (this.#texts[start + at] !== text.charCodeAt(at)) return false
    }
    return true
  }

  #write(number: number, text: string, hash: number): void {
    this.#hashes = withRoom(this.#hashes, number)
    this.#starts = withRoom(this.#starts, number)
    this.#lengths = withRoom(this.#lengths, number)
    this.#texts = withRoom(this.#texts, this.#textsEnd + text.length)
    this.#hashes[number] = hash
    this.#starts[number] = this.#textsEnd
    this.#lengths[number] = text.length
    for (let at = 0; at < text.length; at += 1) {
      this.#texts[this.#textsEnd + at] = text.charCodeAt(at)
    }
    this.#textsEnd += text.length
  }

  /** A copy that is made later has nothing of the text. */
  #forget(number: number): void {
    const start = this.#starts[number] ?? 0
    const length = this.#lengths[number] ?? 0
    this.#texts.fill(0, start, start + length)
    this.#hashes[number] = 0
    this.#lengths[number] = 0
    this.#waste += length
  }

  #grow(): void {
    const last = this.#table.length * 2 - 1
    const table = new Int32Array(last + 1).fill(EMPTY)
    for (const number of this.#table) {
      if (number === EMPTY) continue
      let place = (this.#hashes[number] ?? 0) & last
      while (table[place] !== EMPTY) place = (place + 1) & last
      table[place] = number
    }
    this.#table = table
  }

  #compact(): void {
    const texts = new Uint16Array(this.#textsEnd - this.#waste)
    let end = 0
    for (const number of this.#table) {
      if (number === EMPTY) continue
      const start = this.#starts[number] ?? 0
      const length = this.#lengths[number] ?? 0
      texts.set(this.#texts.subarray(start, start + length), end)
      this.#starts[number] = end
      end += length
    }
    this.#texts = texts
    this.#textsEnd = end
    this.#waste = 0
  }
}

/** FNV-1a over code units from a beginning of our own, its bits mixed once more, since places are its lowest bits. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
