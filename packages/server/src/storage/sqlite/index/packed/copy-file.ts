// Arrays of numbers in a file, one after the other, as fast as the disk gives them, with a checksum
// over everything behind them. What comes back is what was written, or an error: a reader
// must discard everything it has read when the last step fails. A file has up to half a gigabyte, so it is
// written and read in steps of some milliseconds.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** To be raised with each change of what is written, or of what it means. */
const VERSION = 6
const MAGIC = 0x4d4e4958
const BYTES_OF_STEP = 1024 * 1024

type NumberArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array

type Kind<A extends NumberArray> = { new (length: number): A; BYTES_PER_ELEMENT: number }

/** It may be ended after any step. */
export type Reading<Result = void> = Generator<void, Result>

class DamagedCopy extends Error {
  override readonly name = 'DamagedCopy'

  constructor() {
    super('The file is not a whole copy of this version.')
  }
}

export class CopyWriter {
  readonly #descriptor: number
  readonly #parts: Uint8Array[] = []

  /** Of a file that is open for writing, and empty. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.numbers(MAGIC, VERSION)
  }

  numbers(...values: number[]): void {
    this.array(Float64Array.from(values))
  }

  /** It has to stay as it is until it is written. */
  array(array: NumberArray): void {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    this.#parts.push(new Uint8Array(Float64Array.of(bytes.length).buffer), bytes)
  }

  /** All of them, and the checksum. */
  *write(): Generator<void, void> {
    let checksum = 0
    let writtenInStep = 0
    for (const bytes of this.#parts) {
      for (let from = 0; from < bytes.length; ) {
        const some = bytes.subarray(from, from + BYTES_OF_STEP - writtenInStep)
        const count = writeSync(this.#descriptor, some)
        checksum = crc32(some.subarray(0, count), checksum)
        from += count
        writtenInStep += count
        if (writtenInStep < BYTES_OF_STEP) continue
        writtenInStep = 0
        yield
      }
    }
    writeSync(this.#descriptor, Uint32Array.of(checksum))
  }
}

export class CopyReader {
  readonly #descriptor: number
  readonly #size: number
  #position = 0
  #checksum = 0
  /** Bytes. */
  #readInStep = 0

  /** Throws when there is no such file, and DamagedCopy when it is something else. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    try {
      this.#size = fstatSync(this.#descriptor).size
      const [magic, version] = this.numbers()
      if (magic !== MAGIC || version !== VERSION) throw new DamagedCopy()
    } catch (error) {
      // Nobody else can: there is no reader. And a file that is removed while it is open keeps its room.
      this.close()
      throw error
    }
  }

  /** A few, at once. */
  numbers(): number[] {
    const numbers = this.#roomFor(Float64Array)
    this.#read(new Uint8Array(numbers.buffer))
    return [...numbers]
  }

  /** A short one, at once. */
  text(): string {
    const bytes = this.#roomFor(Uint8Array)
    this.#read(bytes)
    return Buffer.from(bytes).toString()
  }

  *array<A extends NumberArray>(Kind: Kind<A>): Reading<A> {
    const array = this.#roomFor(Kind)
    yield* this.#readInSteps(new Uint8Array(array.buffer))
    return array
  }

  /** An array that has its place already. */
  *into(bytes: Uint8Array): Reading {
    if (this.#length() !== bytes.length) throw new DamagedCopy()
    yield* this.#readInSteps(bytes)
  }

  /** Throws unless everything that was read is what was written. */
  end(): void {
    const checksum = this.#checksum
    const written = new Uint32Array(1)
    if (this.#size - this.#position !== written.byteLength) throw new DamagedCopy()
    this.#read(new Uint8Array(written.buffer))
    if (written[0] !== checksum) throw new DamagedCopy()
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #length(): number {
    const length = new Float64Array(1)
    this.#read(new Uint8Array(length.buffer))
    const [bytes = 0] = length
    // Not a whole number below what is left: so nothing that large is ever allocated.
    if (!(Number.isInteger(bytes) && bytes >= 0 && bytes <= this.#size - this.#position)) {
      throw new DamagedCopy()
    }
    return bytes
  }

  #roomFor<A extends NumberArray>(Kind: Kind<A>): A {
    const bytes = this.#length()
    if (bytes % Kind.BYTES_PER_ELEMENT !== 0) throw new DamagedCopy()
    return new Kind(bytes / Kind.BYTES_PER_ELEMENT)
  }

  *#readInSteps(bytes: Uint8Array): Reading {
    for (let from = 0; from < bytes.length; ) {
      const some = bytes.subarray(from, from + BYTES_OF_STEP - this.#readInStep)
      this.#read(some)
      from += some.length
      this.#readInStep += some.length
      if (this.#readInStep < BYTES_OF_STEP) continue
      this.#readInStep = 0
      yield
    }
  }

  #read(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const count = readSync(this.#descriptor, bytes, from, bytes.length - from, this.#position)
      if (count === 0) throw new DamagedCopy()
      from += count
      this.#position += count
    }
    this.#checksum = crc32(bytes, this.#checksum)
  }
}
