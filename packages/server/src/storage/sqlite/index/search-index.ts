// The ranking of one space. Rebuilt from the rows whenever it is missing, so the rows stay the only
// truth; changes arrive after their commit and may arrive twice, which changes nothing.
//
// A search comes closer in steps. Some memories are proposed (proposals.ts). Their codes tell each
// strength within a bound, and those that can be among the best are scored from their rows in the database.
// So every score is exact, and in a small space the answer is that of scoring every memory.
// decisions/2026-11-21-search-at-scale.md
import type { ExpectedQuery, QueryPart, SearchQuery } from '../../../retrieval/evidence.ts'
import { SAME_TEXT_COSINE_MIN, scoreOf, strengthFor } from '../../../retrieval/scoring.ts'
import { type Candidate, Candidates } from '../../ranking/candidates.ts'
import type { RankedExplanation } from '../../ranking/explain.ts'
import { type Ranked, Ranking } from '../../ranking/ranking.ts'
import type { MemoryFilter } from '../../store.ts'
import { type Asked, ask, askAhead, evidenceFor, ROUNDING } from './asked.ts'
import type { ComparedRows } from './byte-codes.ts'
import type { Centroid } from './centroid.ts'
import type { IndexedMemory, IndexedPiece, RemovedMemory } from './indexed.ts'
import { Meanings, type Measured } from './meanings.ts'
import { ASKING, SEVERAL_PIECES } from './memory-rows.ts'
import { type Batch, Proposals } from './proposals.ts'
import type { SnapshotReader, SnapshotWriter } from './snapshot-file.ts'
import { SpaceTables } from './space-tables.ts'
import type { Workspace } from './workspace.ts'

/** What the database says of a memory. */
export type Rows = {
  /**
   * In the order of the text; none when the memory is gone, and then the search is made again. A memory
   * that has one row keeps it as long as it is there.
   */
  piecesOf: (no: number, hasOneRow: boolean) => readonly IndexedPiece[]
  idOf: (no: number) => string
}

type Cut = { limit: number; threshold: number }

/** Memories with what they mean to the query, and how far cosines and strengths may lie off. */
type Weighed = Measured & { memories: Uint32Array; error: number; bound: number }

export class SearchIndex {
  readonly isLarge: boolean
  readonly #tables: SpaceTables
  readonly #proposals: Proposals
  readonly #workspace: Workspace
  readonly #rows: Rows
  /** Memories that are gone from the database, of which the removal was not heard of yet. */
  readonly #gone = new Set<number>()

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
    const { all, no } = this.#tables.rows
    return all.reduce((last, memory) => Math.max(last, no[memory] ?? 0), 0)
  }

  add(memory: IndexedMemory, pieces: readonly IndexedPiece[]): void {
    this.#tables.add(memory, pieces)
  }

  remove(memory: RemovedMemory): void {
    this.#tables.remove(memory)
    this.#gone.delete(memory.no)
  }

  /** Passes over the memory from now on. */
  hide(no: number): void {
    this.#gone.add(no)
  }

  /** The index of a large space, to be read again by `restore`. */
  save(to: SnapshotWriter): void {
    this.#tables.save(to)
  }

  restore(from: SnapshotReader): void {
    this.#tables.restore(from)
  }

  /** Lets go of the memory of the codes. The index must not be used any more. */
  release(): void {
    this.#tables.release()
  }

  /** Does what a search can do before the query has its vectors. It changes no answer. */
  expect(query: ExpectedQuery): void {
    askAhead(this.#tables, this.#workspace.wordPoints, query)
  }

  /** The best of all memories that pass the filter. */
  search(query: SearchQuery, filter: MemoryFilter, cut: Cut): Ranked[] {
    const asked = ask(this.#tables, this.#workspace.wordPoints, query)
    const { candidates, bound } = this.#candidates(asked, filter, cut)
    const ranking = new Ranking(cut.limit, ({ no }) => this.#rows.idOf(no))
    for (const candidate of candidates.inOrder()) {
      const { memory, strength, isMaybeSame } = candidate
      const needed = strengthFor(Math.max(cut.threshold, ranking.scoreMin), asked.weights)
      if (!isMaybeSame && strength + bound < needed) break
      const score = this.#knownScore(candidate, bound, asked) ?? this.#exactScore(memory, asked)
      if (score !== undefined && score >= cut.threshold) ranking.offer(score, this.#entry(memory))
    }
    return ranking.best()
  }

  /** Why a memory has its score. Undefined when it is not there. */
  explain(query: SearchQuery, no: number): RankedExplanation | undefined {
    const memory = this.#tables.find(no)
    if (memory === undefined) return undefined
    const pieces = this.#piecesOf(memory)
    return pieces.length === 0 ? undefined : evidenceFor(this.#tables, query).explain(pieces)
  }

  /** The memories that may be among the best, and how far their strengths lie at most from the exact ones. */
  #candidates(asked: Asked, filter: MemoryFilter, cut: Cut) {
    let known: { candidates: Candidates; bound: number } | undefined
    const needed = () => known?.candidates.strengthMin ?? Number.NEGATIVE_INFINITY
    for (const batch of this.#proposals.for(asked, filter, cut.threshold, needed)) {
      const measured = this.#measure(asked, batch)
      // The same for every batch.
      const { bound } = measured
      known ??= { candidates: new Candidates(cut, bound, asked.weights), bound }
      this.#offer(asked, measured, known.candidates)
    }
    return known ?? { candidates: new Candidates(cut, 0, asked.weights), bound: 0 }
  }

  /** By the cosines of codes. */
  #measure(asked: Asked, { memories, compared: known }: Batch): Weighed {
    const { query, weights } = asked
    const { rows } = this.#tables
    const all = rows.ofAll(memories)
    const { parts, calibration } = query
    let error = 0
    const compared = parts.map((part, place) => {
      const { cosines, ...own } = known ?? this.#compare(part, place, all)
      error += own.error / parts.length
      return { part, cosines }
    })
    const measured = new Meanings(rows, compared, { calibration, weights })
    // A strength changes by no more than the similarity that changes most.
    const bound = error * calibration.cosine.scale + asked.pointsError + ROUNDING
    return { memories, ...measured.of(memories, all, this.#workspace), error, bound }
  }

  #offer(
    { weights, points, nameless, same }: Asked,
    { memories, meanings, nearest, error }: Weighed,
    candidates: Candidates,
  ): void {
    const { rows, memory: codes } = this.#tables
    const nearEnough = SAME_TEXT_COSINE_MIN - error - ROUNDING
    const hasSame = same.size > 0
    const hasGone = this.#gone.size > 0
    const pointsOf = new Int16Array(codes.buffer, points.address)
    const { marks } = rows
    const { unit } = points
    let { strengthMin } = candidates
    for (let place = 0; place < memories.length; place += 1) {
      const memory = memories[place] ?? 0
      const meaning = meanings[memory] ?? 0
      const words = (pointsOf[memory] ?? 0) * unit
      const isMaybeSame = (nearest[memory] ?? 0) >= nearEnough || (hasSame && same.has(memory))
      // Nearly all are left here.
      if (meaning + words + nameless < strengthMin && !isMaybeSame) continue
      const mark = marks[memory] ?? 0
      const asking = (mark & ASKING) === 0 ? 0 : weights.askingMemory
      const strength = meaning + words + nameless - asking
      if (strength < strengthMin && !isMaybeSame) continue
      if (hasGone && this.#gone.has(rows.no[memory] ?? 0)) continue
      // No piece needs to have all words of its memory.
      const least = (mark & SEVERAL_PIECES) === 0 ? strength : strength - words
      candidates.offer({ memory, strength, isMaybeSame }, least)
      strengthMin = candidates.strengthMin
    }
  }

  #compare({ vector }: QueryPart, place: number, rows: Uint32Array): ComparedRows {
    const cosines = this.#workspace.cosines(place, this.#tables.rows.end)
    return { cosines, error: this.#tables.scan(vector, rows, cosines) }
  }

  /** The score that every strength within the bound gives, if they all give the same. */
  #knownScore(
    { memory, strength, isMaybeSame }: Candidate,
    bound: number,
    { weights }: Asked,
  ): number | undefined {
    const isOnePiece = ((this.#tables.rows.marks[memory] ?? 0) & SEVERAL_PIECES) === 0
    if (isMaybeSame || !isOnePiece) return undefined
    const least = scoreOf({ strength: strength - bound, cosine: 0 }, weights)
    return least === scoreOf({ strength: strength + bound, cosine: 0 }, weights) ? least : undefined
  }

  /** Undefined when the memory is gone. */
  #exactScore(memory: number, { evidence }: Asked): number | undefined {
    const pieces = this.#piecesOf(memory)
    return pieces.length === 0 ? undefined : evidence.scoreOf(pieces)
  }

  #piecesOf(memory: number): readonly IndexedPiece[] {
    const { rows } = this.#tables
    return this.#rows.piecesOf(rows.no[memory] ?? 0, rows.hasOne(memory))
  }

  #entry(memory: number) {
    const { no, createdAt } = this.#tables.rows
    return { no: no[memory] ?? 0, createdAt: createdAt[memory] ?? 0 }
  }
}
