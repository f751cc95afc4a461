// What is kept of one space in memory: codes of the vectors, terms, which rows belong to which memory,
// and what filters look at. Small spaces keep a byte a number and are searched exactly; large ones
// keep half a byte and the sign, and are searched through the signs.
import { ASKING_MARK } from '../../../../retrieval/asking.ts'
import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import { MemoryRows } from '../packed/memory-rows.ts'
import { NumberMap } from '../packed/number-map.ts'
import { Groups } from '../postings/groups.ts'
import { TermIndex } from '../postings/term-index.ts'
import type { CodeMemory } from '../scan/code-memory.ts'
import { ByteCodes } from '../vectors/byte-codes.ts'
import type { Centroid } from '../vectors/centroid.ts'
import { HalfCodes } from '../vectors/half-codes.ts'
import { Signs } from '../vectors/signs.ts'
import type { IndexedMemory, IndexedPiece, RemovedMemory } from './indexed.ts'
import type { Workspace } from './workspace.ts'

/** Stands for the commonness of a text that has none, where an estimate is enough. */
export const COMMONNESS_TYPICAL = 0.6
/** Of some forty typed arrays, however short, and of what holds them: measured. */
const OBJECTS_BYTES = 12_000

export class SpaceTables {
  readonly rows = new MemoryRows()
  readonly terms = new TermIndex()
  readonly groups = new Groups()
  readonly #workspace: Workspace
  /** From the number in the database to the memory. */
  readonly #memories = new NumberMap()
  readonly #centroid: Centroid | undefined
  #codes: ByteCodes | HalfCodes | undefined
  #signs: Signs | undefined
  #changes = 0

  /** With a centroid the space is a large one. */
  constructor(workspace: Workspace, centroid: Centroid | undefined) {
    this.#workspace = workspace
    this.#centroid = centroid
    if (centroid === undefined) return
    this.#codes = new HalfCodes(workspace.memory, centroid)
    this.#signs = new Signs(workspace, centroid)
  }

  get memory(): CodeMemory {
    return this.#workspace.memory
  }

  /** Of a small space; undefined for a large one, and without any row. */
  get codes(): ByteCodes | undefined {
    return this.#codes instanceof ByteCodes ? this.#codes : undefined
  }

  /** Undefined for a small space. */
  get signs(): Signs | undefined {
    return this.#signs
  }

  /** About what the tables hold in memory. */
  get bytes(): number {
    const codes = (this.#codes?.bytes ?? 0) + (this.#signs?.bytes ?? 0)
    const columns = this.rows.bytes + this.#memories.bytes
    return OBJECTS_BYTES + codes + columns + this.terms.bytes + this.groups.bytes
  }

  /** Memories. */
  get size(): number {
    return this.#memories.size
  }

  /** How many memories came or went: as long as the number is the same, so are the tables. */
  get changes(): number {
    return this.#changes
  }

  find(no: number): number | undefined {
    return this.#memories.find(no)
  }

  add(indexed: IndexedMemory, pieces: readonly IndexedPiece[]): void {
    if (this.#memories.find(indexed.no) !== undefined) return
    this.#changes += 1
    const terms = new Set(pieces.flatMap((piece) => piece.terms))
    const rows = this.rows.add({
      pieces: pieces.map(({ embeddings }) => embeddings.map(({ commonness }) => commonness)),
      no: indexed.no,
      createdAt: indexed.createdAt,
      isAsking: terms.has(ASKING_MARK),
    })
    const [memory] = rows
    if (memory === undefined) return
    const embeddings = pieces.flatMap((piece) => piece.embeddings)
    for (const [place, { vector, commonness }] of embeddings.entries()) {
      this.#write(rows[place] ?? memory, memory, vector, commonness)
    }
    this.terms.add(memory, terms)
    this.groups.add(memory, indexed)
    this.#memories.add(indexed.no, memory)
  }

  remove({ no, terms, ...grouped }: RemovedMemory): void {
    const memory = this.#memories.find(no)
    if (memory === undefined) return
    this.#changes += 1
    for (const row of this.rows.of(memory)) {
      this.#signs?.clear(row)
      if (this.#codes instanceof HalfCodes) this.#codes.clear(row)
    }
    this.rows.remove(memory)
    this.terms.remove(memory, terms)
    this.groups.remove(memory, grouped)
    this.#memories.remove(no, memory)
  }

  /** By row, for the given ones. Returns how far each lies from the exact one, at most or very likely. */
  scan(vector: Float32Array, rows: Uint32Array, cosines: Float64Array): number {
    return this.#codes?.scan(vector, rows, cosines) ?? 0
  }

  /** Of a large space. The centroid comes first: it is needed to make the tables. */
  save(to: CopyWriter): void {
    this.#centroid?.save(to)
    if (this.#codes instanceof HalfCodes) this.#codes.save(to)
    for (const part of [this.#signs, this.rows, this.terms, this.groups, this.#memories]) {
      part?.save(to)
    }
  }

  *restore(from: CopyReader): Reading {
    if (this.#codes instanceof HalfCodes) yield* this.#codes.restore(from)
    for (const part of [this.#signs, this.rows, this.terms, this.groups, this.#memories]) {
      if (part !== undefined) yield* part.restore(from)
    }
  }

  /** Gives the room of the codes to others. The tables must not be used any more. */
  release(): void {
    this.#codes?.release()
    this.#signs?.release()
  }

  #write(row: number, memory: number, vector: Float32Array, commonness: number | undefined): void {
    if (this.#centroid === undefined || this.#signs === undefined) {
      this.#codes ??= new ByteCodes(this.memory, vector.length)
      this.codes?.write(row, memory, vector, commonness)
      return
    }
    const rest = this.#centroid.of(vector)
    if (this.#codes instanceof HalfCodes) this.#codes.write(row, rest)
    this.#signs.write(row, memory, rest, commonness ?? COMMONNESS_TYPICAL)
  }
}
