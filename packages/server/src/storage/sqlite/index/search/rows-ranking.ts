// The end of a search: candidates are scored from their rows in the database, the strongest first, until the
// next one is too weak for a place among the results even if it is as strong as its bound allows. A memory that
// is gone when the results are read leaves its place to the next best, for which ranking goes on where it stopped:
// no row is read twice. When so many are gone that a memory which was left out as too weak may have a place, there
// is no result, and search-index.ts begins again.
// decisions/2026-11-25-long-searches-in-slices.md, decisions/2026-11-21-search-at-scale.md (step by step)
import { scoreOf, strengthFor } from '../../../../retrieval/scoring.ts'
import type { Candidates } from '../../../ranking/candidates.ts'
import type { RankedExplanation } from '../../../ranking/explain.ts'
import { type Ranked, Ranking } from '../../../ranking/ranking.ts'
import type { IndexedPiece } from '../tables/indexed.ts'
import type { Asked } from './asked.ts'
import { type Bounds, type Contender, Contenders, type Offered } from './contenders.ts'

/** What the database says of a memory. */
export type Rows = {
  /**
   * In the order of the text; none when the memory is gone. A memory that has one row keeps it as long as
   * it is there.
   */
  piecesOf: (no: number, hasOneRow: boolean) => readonly IndexedPiece[]
  /** Those of each piece; none when the memory is gone. */
  termsOf: (no: number) => readonly (readonly string[])[]
  idOf: (no: number) => string
}

/** The work of a search. Between two of its steps others may be searched, and changes be taken in. */
export type Steps<Result> = Generator<void, Result>

export type Cut = { limit: number; threshold: number }

/** The candidates of a search, and how far their strengths lie at most from the exact ones. */
export type Weak = { candidates: Candidates<Offered>; bounds: Bounds }

export type Answer = {
  ranked: readonly Ranked[]
  /** Why a memory has its score. Undefined when it is not there any more. */
  explain: (no: number) => RankedExplanation | undefined
}

/** Makes the results of an answer, and tells which of its memories are gone: then it gets another one. */
export type Reader<Results> = (
  answer: Answer,
) => Steps<{ results: Results; gone: readonly number[] }>

/** From so many parts of a query on, to read a memory's words takes little of the time of comparing its vectors. */
const WORDS_FIRST_PARTS_MIN = 8

/** Comparisons of a row with a part of the query, before others may come in between. */
const ROWS_OF_STEP = 128

export class RowsRanking {
  /** Memories that are not in the database any more. */
  readonly gone = new Set<number>()
  readonly #rows: Rows
  readonly #asked: Asked
  readonly #cut: Cut
  readonly #candidates: Candidates<Offered>
  readonly #contenders: Contenders
  /** Whether the bounds are likely ones. */
  readonly #areLikely: boolean
  #ranking: Ranking<Offered>
  /** Those that have been in the ranking, and the score of each. */
  readonly #scored: Offered[] = []
  readonly #scores: number[] = []
  /** By the number of a memory, its place among those whose score is only likely. */
  readonly #likely = new Map<number, number>()
  /** The first that is too weak for a place; so are all behind it. */
  #next: Contender | undefined
  #rowsOfStep = 0
  /** By number, of the memories whose explanation was asked for. */
  readonly #explanations = new Map<number, RankedExplanation | undefined>()

  constructor(rows: Rows, asked: Asked, { candidates, bounds }: Weak, cut: Cut) {
    this.#rows = rows
    this.#asked = asked
    this.#cut = cut
    this.#candidates = candidates
    this.#contenders = new Contenders(candidates.inOrder(), bounds)
    this.#areLikely = bounds.areLikely
    this.#ranking = this.#newRanking()
  }

  /** Undefined when there may be better ones than those that are there: see above. */
  *results<Results>(
    explain: Answer['explain'],
    read: Reader<Results>,
  ): Steps<{ results: Results } | undefined> {
    for (;;) {
      yield* this.#rank()
      if (!this.#isSure) return undefined
      if (!(yield* this.#areExact())) continue
      const ranked = this.#ranking.best()
      const { results, gone } = yield* read({ ranked, explain: (no) => this.#once(no, explain) })
      if (gone.length === 0) return { results }
      this.#leaveOut(gone)
    }
  }

  *#rank(): Steps<void> {
    const { evidence, query } = this.#asked
    const isWordsFirst = query.parts.length >= WORDS_FIRST_PARTS_MIN
    for (;;) {
      const next = this.#next ?? this.#contenders.next()
      this.#next = next
      if (next === undefined || !this.#mayHavePlace(next)) return
      this.#next = undefined
      const { candidate, isClose } = next
      if (isWordsFirst && !isClose && !candidate.isMaybeSame) {
        const terms = this.#rows.termsOf(candidate.no)
        if (terms.length === 0) this.gone.add(candidate.no)
        else {
          const strength = candidate.withoutWords + evidence.wordsOf(terms)
          this.#contenders.bringCloser(candidate, strength)
        }
        yield
        continue
      }
      const known = knownScore(next, this.#asked)
      const score = known ?? this.#scoreOf(candidate)
      if (score !== undefined && score >= this.#cut.threshold) {
        if (known !== undefined && this.#areLikely) {
          this.#likely.set(candidate.no, this.#scored.length)
        }
        this.#offer(score, candidate)
      }
      if (this.#rowsOfStep < ROWS_OF_STEP) continue
      this.#rowsOfStep = 0
      yield
    }
  }

  /** Reads those that are ranked by a score that is only likely. False when one of them has another score. */
  *#areExact(): Steps<boolean> {
    let areSame = true
    for (const { no } of this.#ranking.best()) {
      const place = this.#likely.get(no)
      const candidate = place === undefined ? undefined : this.#scored[place]
      if (place === undefined || candidate === undefined) continue
      this.#likely.delete(no)
      const score = this.#scoreOf(candidate)
      if (score === this.#scores[place]) continue
      this.#scores[place] = score ?? Number.NEGATIVE_INFINITY
      areSame = false
      yield
    }
    if (!areSame) this.#rankAgain()
    return areSame
  }

  #mayHavePlace({ candidate, strength, bound }: Contender): boolean {
    const ranking = this.#ranking
    if (candidate.isMaybeSame) return !ranking.isClosedTo(1, candidate.createdAt)
    return strength + bound >= strengthFor(this.#scoreMin, this.#asked.weights)
  }

  /** Of a place among the best. */
  get #scoreMin(): number {
    return Math.max(this.#cut.threshold, this.#ranking.scoreMin)
  }

  /** Undefined when the memory is gone. */
  #scoreOf({ no, isOneRow }: Offered): number | undefined {
    const { evidence, query } = this.#asked
    const pieces = this.#rows.piecesOf(no, isOneRow)
    for (const { embeddings } of pieces) {
      this.#rowsOfStep += embeddings.length * query.parts.length
    }
    if (pieces.length > 0) return evidence.scoreOf(pieces)
    this.gone.add(no)
    return undefined
  }

  #offer(score: number, candidate: Offered): void {
    this.#scored.push(candidate)
    this.#scores.push(score)
    this.#ranking.offer(score, candidate)
  }

  /** Whether none that was left out for the sake of others has a place now. */
  get #isSure(): boolean {
    return this.gone.size === 0 || this.#scoreMin >= this.#candidates.scoreMin
  }

  #leaveOut(gone: readonly number[]): void {
    for (const no of gone) this.gone.add(no)
    this.#rankAgain()
  }

  #rankAgain(): void {
    this.#ranking = this.#newRanking()
    for (const [place, candidate] of this.#scored.entries()) {
      const score = this.#scores[place] ?? 0
      if (score >= this.#cut.threshold && !this.gone.has(candidate.no)) {
        this.#ranking.offer(score, candidate)
      }
    }
  }

  #newRanking(): Ranking<Offered> {
    return new Ranking(this.#cut.limit, ({ no }) => this.#rows.idOf(no))
  }

  #once(no: number, explain: Answer['explain']): RankedExplanation | undefined {
    if (!this.#explanations.has(no)) this.#explanations.set(no, explain(no))
    return this.#explanations.get(no)
  }
}

/** The score that every strength within the bound gives, if they all give the same. */
function knownScore(
  { strength, bound, candidate: { isMaybeSame, isOnePiece } }: Contender,
  { weights }: Asked,
): number | undefined {
  if (isMaybeSame || !isOnePiece) return undefined
  const least = scoreOf({ strength: strength - bound, cosine: 0 }, weights)
  return least === scoreOf({ strength: strength + bound, cosine: 0 }, weights) ? least : undefined
}
