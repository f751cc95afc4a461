// The index of one space. It is made anew from the rows of the database whenever it is missing, so these stay
// the only truth; changes arrive after their commit, and one that arrives twice changes nothing.
//
// A search takes memories from proposals.ts, bounds the strength of each by the codes of its vectors, and has
// those that may be among the best scored from their rows in the database (rows-ranking.ts). So every score is
// exact, and in a small space the answer is that of scoring every memory.
// decisions/2026-11-21-search-at-scale.md (one query, step by step)
import type { ExpectedQuery, QueryPart, SearchQuery } from '../../../retrieval/evidence.ts'
import { SAME_TEXT_COSINE_MIN } from '../../../retrieval/scoring.ts'
import { Candidates, ROUNDING } from '../../ranking/candidates.ts'
import type { RankedExplanation } from '../../ranking/explain.ts'
import type { MemoryFilter } from '../../store.ts'
import type { CopyReader, CopyWriter, Reading } from './packed/copy-file.ts'
import { ASKING, SEVERAL_PIECES } from './packed/memory-rows.ts'
import { type Asked, ask, askAhead, isLong } from './search/asked.ts'
import type { Bounds, Offered } from './search/contenders.ts'
import { type Batch, Proposals } from './search/proposals.ts'
import {
  type Cut,
  type Reader,
  type Rows,
  RowsRanking,
  type Steps,
  type Weak,
} from './search/rows-ranking.ts'
import type { IndexedMemory, IndexedPiece, RemovedMemory } from './tables/indexed.ts'
import { SpaceTables } from './tables/space-tables.ts'
import type { Workspace } from './tables/workspace.ts'
import type { ComparedRows } from './vectors/byte-codes.ts'
import type { Centroid } from './vectors/centroid.ts'
import { Meanings, type Measured } from './vectors/meanings.ts'

/** So many better memories than are asked for have to be there before one is left out: some may go meanwhile. */
const SPARE = 64

/** Memories with what they mean to the query, and how far cosines and strengths may lie off. */
type Weighed = Measured & {
  memories: Uint32Array
  /** Their numbers, when others may have come in between. */
  nos: Float64Array | undefined
  error: number
  bounds: Bounds
}

export class SearchIndex {
  readonly isLarge: boolean
  readonly #tables: SpaceTables
  readonly #proposals: Proposals
  readonly #workspace: Workspace
  readonly #rows: Rows
  /** Memories that are gone from the database, of which the removal was not heard of yet. */
  readonly #gone = new Set<number>()
  /** How many are under way. */
  #searches = 0
  #isReleased = false

  /** With a centroid the space is a large one. */
  constructor(rows: Rows, workspace: Workspace, centroid?: Centroid) {
    this.isLarge = centroid !== undefined
    this.#rows = rows
    this.#workspace = workspace
    this.#tables = new SpaceTables(workspace, centroid)
    this.#proposals = new Proposals(this.#tables, workspace)
  }

  get bytes(): number {
    return this.#tables.bytes
  }

  /** Memories. */
  get size(): number {
    return this.#tables.size
  }

  /** The greatest number of a memory. */
  get lastNo(): number {
    return this.#tables.rows.lastNo
  }

  add(memory: IndexedMemory, pieces: readonly IndexedPiece[]): void {
    this.#tables.add(memory, pieces)
  }

  remove(memory: RemovedMemory): void {
    this.#tables.remove(memory)
    this.#gone.delete(memory.no)
  }

  /** The index of a large space, to be read again by `restore`. It takes no change until all of it is written. */
  save(to: CopyWriter): void {
    this.#tables.save(to)
  }

  /** It takes no change and no search until all of it is read. */
  *restore(from: CopyReader): Reading {
    yield* this.#tables.restore(from)
  }

  /** Lets go of the memory of the codes when the searches under way are over. No other may begin. */
  release(): void {
    this.#isReleased = true
    if (this.#searches === 0) this.#tables.release()
  }

  /** Does what a search can do before the query has its vectors. It changes no answer. */
  expect(query: ExpectedQuery): void {
    askAhead(this.#tables, this.#workspace.wordPoints, query)
  }

  /**
   * What `read` makes of the best of all memories that pass the filter. With the memories that are gone it
   * begins again only when it has to, and then leaves out nothing for the others' sake: it ends, whatever is
   * deleted meanwhile. One that may take long is prepared for that.
   */
  *search<Results>(
    query: SearchQuery,
    filter: MemoryFilter,
    cut: Cut & { mayTakeLong?: boolean },
    read: Reader<Results>,
  ): Steps<Results> {
    this.#searches += 1
    try {
      let spare = cut.mayTakeLong === true ? SPARE : 0
      for (;;) {
        const asked = ask(this.#tables, this.#workspace.wordPoints, query)
        const weak = yield* this.#candidates(asked, filter, { ...cut, limit: cut.limit + spare })
        const ranking = new RowsRanking(this.#rows, asked, weak, cut)
        const found = yield* ranking.results((no) => this.#explain(asked, no), read)
        for (const no of ranking.gone) this.#hide(no)
        if (found !== undefined) return found.results
        spare = spare < SPARE ? SPARE : Number.POSITIVE_INFINITY
      }
    } finally {
      this.#searches -= 1
      if (this.#isReleased && this.#searches === 0) this.#tables.release()
    }
  }

  /** Passes over the memory until its removal is heard of. */
  #hide(no: number): void {
    if (this.#tables.find(no) !== undefined) this.#gone.add(no)
  }

  #explain({ evidence }: Asked, no: number): RankedExplanation | undefined {
    const memory = this.#tables.find(no)
    const isOneRow = memory !== undefined && this.#tables.rows.hasOne(memory)
    const pieces = this.#rows.piecesOf(no, isOneRow)
    return pieces.length === 0 ? undefined : evidence.explain(pieces)
  }

  /** The memories that may be among the best, and how far their strengths lie at most from the exact ones. */
  *#candidates(asked: Asked, filter: MemoryFilter, cut: Cut): Steps<Weak> {
    let known: Weak | undefined
    const needed = () => known?.candidates.strengthMin ?? Number.NEGATIVE_INFINITY
    for (const batch of this.#proposals.for(asked, filter, cut.threshold, needed)) {
      const measured = yield* this.#measure(asked, batch)
      // The same for every batch.
      const { bounds } = measured
      known ??= { candidates: new Candidates(cut, bounds.rough, asked.weights), bounds }
      this.#offer(asked, measured, known.candidates)
    }
    const none = { rough: 0, close: 0, areLikely: false }
    return known ?? { candidates: new Candidates(cut, 0, asked.weights), bounds: none }
  }

  /** By the cosines of codes. */
  *#measure(asked: Asked, { memories, compared: known }: Batch): Steps<Weighed> {
    const { query, weights, pointsError } = asked
    const { rows } = this.#tables
    const all = rows.ofAll(memories)
    const { parts, calibration } = query
    const meanings = new Meanings(rows, { calibration, weights })
    // Others may come in between and take the room that all share, so a long query has its own.
    const measured = isLong(query)
      ? { meanings: new Float64Array(memories.length), nearest: new Float64Array(memories.length) }
      : this.#workspace.measured(memories.length)
    const nos = isLong(query)
      ? Float64Array.from(memories, (each) => rows.no[each] ?? 0)
      : undefined
    let error = 0
    for (const [place, part] of parts.entries()) {
      const { cosines, ...own } = known ?? this.#compare(part, all)
      error += own.error / parts.length
      meanings.add({ part, cosines, isFirst: place === 0 }, { ...measured, memories, rows: all })
      if (isLong(query)) yield
    }
    if (isLong(query)) {
      for (const sums of [measured.meanings, measured.nearest]) {
        for (const [place, sum] of sums.entries()) sums[place] = sum / parts.length
      }
    }
    // A strength changes by no more than the similarity that changes most.
    const close = error * calibration.cosine.scale + ROUNDING
    const bounds = { rough: close + pointsError, close, areLikely: this.isLarge }
    return { memories, nos, ...measured, error, bounds }
  }

  #offer(asked: Asked, weighed: Weighed, candidates: Candidates<Offered>): void {
    asked.putBackPoints()
    const { query, weights, points, same } = asked
    const { memories, nos, meanings, nearest, error } = weighed
    const { rows, memory: codes } = this.#tables
    // Thousands can have the one vector that stands for all that is unknown: they are not read as the same text.
    const isRead = query.parts.every(({ hasUnknown }) => hasUnknown !== true)
    const nearEnough = isRead ? SAME_TEXT_COSINE_MIN - error - ROUNDING : Number.POSITIVE_INFINITY
    const hasSame = same.list.length > 0
    const hasGone = this.#gone.size > 0
    const pointsOf = new Int16Array(codes.buffer, points.address)
    const { marks } = rows
    const { unit } = points
    let { strengthMin } = candidates
    for (let place = 0; place < memories.length; place += 1) {
      const memory = memories[place] ?? 0
      const meaning = meanings[place] ?? 0
      const words = (pointsOf[memory] ?? 0) * unit
      const isMaybeSame = (nearest[place] ?? 0) >= nearEnough || (hasSame && same.has(memory))
      // Nearly all memories end here.
      if (meaning + words < strengthMin && !isMaybeSame) continue
      const mark = marks[memory] ?? 0
      const asking = (mark & ASKING) === 0 ? 0 : weights.askingMemory
      const strength = meaning + words - asking
      if (strength < strengthMin && !isMaybeSame) continue
      const no = rows.no[memory] ?? 0
      // The rows of a memory that is gone by now may belong to another one.
      if (nos !== undefined && nos[place] !== no) continue
      if (hasGone && this.#gone.has(no)) continue
      const isOnePiece = (mark & SEVERAL_PIECES) === 0
      // No piece needs to have all words of its memory.
      const least = isOnePiece ? strength : strength - words
      candidates.offer(
        {
          no,
          createdAt: rows.createdAt[memory] ?? 0,
          isOneRow: rows.hasOne(memory),
          isOnePiece,
          strength,
          withoutWords: meaning - asking,
          isMaybeSame,
        },
        least,
      )
      strengthMin = candidates.strengthMin
    }
  }

  #compare({ vector }: QueryPart, rows: Uint32Array): ComparedRows {
    const cosines = this.#workspace.cosines(this.#tables.rows.end)
    return { cosines, error: this.#tables.scan(vector, rows, cosines) }
  }
}
