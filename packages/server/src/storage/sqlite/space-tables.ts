// What is kept of one space in memory: codes of the vectors, terms, which piece belongs to which
// memory, and what filters look at. Whatever a search goes through for every memory stands in typed
// arrays; objects are for the few that it finds.
import { ASKING_MARK } from '../../retrieval/asking.ts'
import { MemoryColumns } from '../ranking/memory-columns.ts'
import type { MemoryFilter } from '../store.ts'
import { Groups } from './groups.ts'
import type { IndexedMemory, IndexedPiece } from './indexed.ts'
import type { Workspace } from './scan/workspace.ts'
import { TermIndex } from './term-index.ts'
import { VectorTable } from './vector-table.ts'

/** Of all memories. To gather the rows of more takes longer than to scan all rows as they lie. */
const FEW = 0.5

/** `memory` is its number in the columns. */
export type Entry = IndexedMemory & { memory: number }

export class SpaceTables {
  readonly vectors: VectorTable
  readonly columns = new MemoryColumns()
  readonly terms = new TermIndex()
  readonly #entries = new Map<number, Entry>()
  /** By memory. */
  readonly #entryOf: (Entry | undefined)[] = []
  readonly #groups = new Groups()
  #bytes = 0

  constructor(workspace: Workspace) {
    this.vectors = new VectorTable(workspace)
  }

  /** About what the tables hold in memory. */
  get bytes(): number {
    return this.#bytes + this.vectors.bytes + this.columns.bytes + this.terms.bytes
  }

  get size(): number {
    return this.#entries.size
  }

  /** Undefined for a number that is not taken. */
  entryOf(memory: number): Entry | undefined {
    return this.#entryOf[memory]
  }

  find(no: number): Entry | undefined {
    return this.#entries.get(no)
  }

  /** Few memories, among them all that pass the filter; undefined when they are not few. */
  among(filter: MemoryFilter): Uint32Array | undefined {
    return this.#groups.smallest(filter, this.size * FEW)
  }

  add(indexed: IndexedMemory, pieces: readonly IndexedPiece[]): void {
    if (this.#entries.has(indexed.no)) return
    const rows = pieces.map(({ embeddings }) =>
      embeddings.map(({ vector, commonness }) => this.vectors.add(vector, commonness)),
    )
    const terms = pieces.map((piece) => piece.terms)
    const isAsking = terms.some((ofPiece) => ofPiece.includes(ASKING_MARK))
    const { memory, units } = this.columns.add(rows, isAsking)
    this.terms.add(units, terms)
    const entry = { ...indexed, memory }
    this.#entries.set(entry.no, entry)
    this.#entryOf[memory] = entry
    this.#groups.add(memory, entry)
    this.#bytes += sizeOf(entry)
  }

  remove(no: number): void {
    const entry = this.#entries.get(no)
    if (entry === undefined) return
    const { memory } = entry
    const units = this.columns.unitsOf(memory)
    for (const unit of units) {
      for (const row of this.columns.rowsOf(unit)) this.vectors.remove(row)
    }
    this.terms.remove(units)
    this.columns.remove(memory)
    this.#entries.delete(no)
    this.#entryOf[memory] = undefined
    this.#groups.remove(memory, entry)
    this.#bytes -= sizeOf(entry)
  }
}

export const passes = (entry: Entry, { userId, agentId, tags }: MemoryFilter): boolean =>
  (userId === undefined || entry.userId === userId) &&
  (agentId === undefined || entry.agentId === agentId) &&
  (tags === undefined || tags.every((tag) => entry.tags.includes(tag)))

/** Beside what the tables count themselves, as measured. */
const sizeOf = ({ tags }: Entry): number => 500 + tags.length * 100
