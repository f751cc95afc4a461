// Which memories have the very same text, by 48 bits of its identity: that two texts share them is so
// unlikely that it may cost a look. Nearly every text is there once, which is one entry of a map. One that
// several memories have is a key of postings, so that the hundred-thousandth costs no more than the first.
import { IDENTITY_MARK } from '../../../../retrieval/identity.ts'
import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import { NumberMap } from '../packed/number-map.ts'
import { type Members, Postings } from './postings.ts'

const BYTES = 6

export class Identities {
  readonly #ofOne = new NumberMap()
  readonly #ofSeveral = new Postings()

  get bytes(): number {
    return this.#ofOne.bytes + this.#ofSeveral.bytes
  }

  /** To be added once. */
  add(identity: string, memory: number): void {
    const key = keyOf(identity)
    const other = this.#ofOne.find(key)
    if (other !== undefined) {
      this.#ofOne.remove(key, other)
      this.#ofSeveral.add(`${key}`, other)
    } else if (this.#ofSeveral.count(`${key}`) === 0) {
      this.#ofOne.add(key, memory)
      return
    }
    this.#ofSeveral.add(`${key}`, memory)
  }

  /** Nothing happens when it was never added. */
  remove(identity: string, memory: number): void {
    const key = keyOf(identity)
    this.#ofOne.remove(key, memory)
    this.#ofSeveral.remove(`${key}`, memory)
  }

  /** Bits are to be read at once. */
  members(identity: string): Members {
    const key = keyOf(identity)
    const only = this.#ofOne.find(key)
    if (only !== undefined) return { list: Uint32Array.of(only) }
    return this.#ofSeveral.members(`${key}`) ?? { list: new Uint32Array(0) }
  }

  save(to: CopyWriter): void {
    this.#ofOne.save(to)
    this.#ofSeveral.save(to)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#ofOne.restore(from)
    yield* this.#ofSeveral.restore(from)
  }
}

function keyOf(identity: string): number {
  const bytes = Buffer.alloc(BYTES)
  bytes.write(identity.slice(IDENTITY_MARK.length), 'base64url')
  return bytes.readUIntBE(0, BYTES)
}
