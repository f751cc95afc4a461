// Narrows a space down to the memories among which its best are looked for, in batches. In a large space these
// are the ones with the greatest estimates by the signs of their vectors, the greatest first, until no further
// one is likely to be as strong as the last of the best. In a small space it is one batch of all that can be
// strong enough for an answer, so the answer is the one that scoring every memory would give.
// decisions/2026-11-21-search-at-scale.md (one query, step by step),
// decisions/2026-11-21-exact-scan.md
import type { Calibration, Weights } from '../../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../../retrieval/evidence.ts'
import {
  meaningOf,
  SAME_TEXT_COSINE_MIN,
  similarityOf,
  strengthFor,
} from '../../../../retrieval/scoring.ts'
import { ROUNDING } from '../../../ranking/candidates.ts'
import type { MemoryFilter } from '../../../store.ts'
import { Proposed } from '../packed/proposed.ts'
import { countOf, leaveOutOthers, listOf, membership } from '../postings/groups.ts'
import type { Members } from '../postings/postings.ts'
import { COMMONNESS_TYPICAL, type SpaceTables } from '../tables/space-tables.ts'
import type { Workspace } from '../tables/workspace.ts'
import type { ComparedRows } from '../vectors/byte-codes.ts'
import { linearSimilarity } from '../vectors/meanings.ts'
import type { Found, NearestWanted, Signs } from '../vectors/signs.ts'
import { type Asked, isLong } from './asked.ts'

/**
 * The share of a large space's rows, or of the memories that pass the filter, that is looked for by signs, for each
 * part of a query: see the record.
 */
const NEAREST_SHARE = 1 / 10
const NEAREST_MIN = 2_000
const NEAREST_MAX = 8_000
/** In a small space each memory that passes the filter is looked at, when they are a smaller share than this. */
const PASSING_MIN_SHARE = 1 / 4
/** When a greater share is strong enough, all are looked at: leaving out the others would save nothing. */
const REACHING_MAX_SHARE = 1 / 2

export type Batch = {
  memories: Uint32Array
  /** Of a query of one part, when all rows were compared with it. */
  compared?: ComparedRows
}

type Wanted = NearestWanted & { strengthMin: number }

/** The same vector has the score 1 whatever its strength, which is no less than `sameVectorMin`. */
type Nearest = Found & { sameVectorMin: number }

type Rest = Pick<Nearest, 'leftOutMax' | 'sameVectorMin' | 'isShort'>

type Nearing = {
  filter: MemoryFilter
  proposed: Proposed
  needed: () => number
  wanted: Wanted
  /** Of the memories at the beginning: who came later may have a row with the points of one that is gone. */
  lastNo: number
}

export class Proposals {
  readonly #tables: SpaceTables
  readonly #workspace: Workspace

  constructor(tables: SpaceTables, workspace: Workspace) {
    this.#tables = tables
    this.#workspace = workspace
  }

  /**
   * Each memory once, the most promising first, and only those that pass the filter. `needed` tells what
   * a memory has to have by now to be among the best: what is unlikely to have as much is not proposed.
   * With several parts of a query, others may have been searched and rows changed when the next batch is
   * asked for.
   */
  *for(
    asked: Asked,
    filter: MemoryFilter,
    threshold: number,
    needed: () => number,
  ): Generator<Batch> {
    const { groups, signs } = this.#tables
    const passing = groups.passing(filter)
    const proposed = isLong(asked.query) ? new Proposed() : this.#workspace.proposed
    try {
      if (signs === undefined) {
        yield this.#strongEnough(asked, passing, strengthMinOf(asked, threshold), proposed)
      } else if (passing !== undefined && countOf(passing) <= NEAREST_MIN) {
        yield { memories: listOf(passing) }
      } else {
        const among = passing === undefined ? this.#tables.rows.end : countOf(passing)
        const share = Math.ceil(among * NEAREST_SHARE)
        const count = Math.min(NEAREST_MAX, Math.max(NEAREST_MIN, share))
        const strengthMin = strengthMinOf(asked, threshold)
        // Among few rows the first ones say too little about the others.
        const wanted = { count, firstAreTypical: count === NEAREST_MAX, strengthMin }
        const lastNo = isLong(asked.query) ? this.#tables.rows.lastNo : Number.POSITIVE_INFINITY
        const nearing = { filter, proposed, needed, lastNo }
        const rest = yield* this.#nearest(signs, asked, { ...nearing, wanted })
        const areFew = count < NEAREST_MAX || rest.isShort
        if (!areFew || rest.leftOutMax < Math.min(needed(), rest.sameVectorMin)) return
        const more = { count: NEAREST_MAX, firstAreTypical: false, strengthMin }
        yield* this.#nearest(signs, asked, { ...nearing, wanted: more })
      }
    } finally {
      proposed.forget()
    }
  }

  /** In a large space. Returns what may be said of the memories that were not proposed. */
  *#nearest(
    signs: Signs,
    asked: Asked,
    { filter, proposed, needed, wanted, lastNo }: Nearing,
  ): Generator<Batch, Rest> {
    const { parts } = asked.query
    const rest = { leftOutMax: 0, sameVectorMin: 0, isShort: false }
    let same: ArrayLike<number> = asked.same.list
    for (const part of parts) {
      // Asked anew for each part: a row may be another memory's by now.
      const passing = this.#tables.groups.passing(filter)
      this.#leaveOutOthers(asked, passing)
      const found = nearest(signs, asked, part, wanted)
      // The strength of a memory is the mean over the parts.
      rest.leftOutMax += found.leftOutMax / parts.length
      rest.sameVectorMin += found.sameVectorMin / parts.length
      rest.isShort ||= found.isShort
      if (parts.length > 1) {
        // How near a row is to one part says nothing about the other parts.
        const owners = [...found.batches].map((batch) => batch.owners)
        const fresh = this.#fresh(passing, [same, ...owners], proposed)
        const { no } = this.#tables.rows
        yield { memories: fresh.filter((memory) => (no[memory] ?? 0) <= lastNo) }
        same = []
        continue
      }
      for (const { owners, restMax } of found.batches) {
        yield { memories: this.#fresh(passing, [same, owners], proposed) }
        same = []
        if (restMax < Math.min(needed(), found.sameVectorMin)) break
      }
    }
    return rest
  }

  /**
   * In a small space. A memory means to a query at most what its best rows do (`meaningOf`), so at least one row
   * of it has to be strong enough.
   */
  #strongEnough(
    asked: Asked,
    passing: Members | undefined,
    strengthMin: number,
    proposed: Proposed,
  ): Batch {
    const { codes, rows } = this.#tables
    const { query, weights, points, pointsError } = asked
    const all = () => (passing === undefined ? rows.all : listOf(passing))
    const [part, another] = query.parts
    const isFew = passing !== undefined && countOf(passing) <= rows.end * PASSING_MIN_SHARE
    const isOne = part !== undefined && another === undefined
    if (isFew || !isOne || codes === undefined) return { memories: all() }
    const isAny = strengthMin === Number.NEGATIVE_INFINITY
    if (!isAny) this.#leaveOutOthers(asked, passing)
    const { calibration } = query
    const { owners, compared } = codes.reaching({
      vector: part.vector,
      points,
      similarity: linearSimilarity(calibration, weights),
      constant: meaningOf(0, 0, part.commonness, calibration, weights),
      // With no bound on strength all are looked at, and none needs to be found.
      strengthMin: isAny ? Number.POSITIVE_INFINITY : strengthMin - pointsError - ROUNDING,
      cosineMin: isAny ? Number.POSITIVE_INFINITY : SAME_TEXT_COSINE_MIN - ROUNDING,
    })
    const count = owners.reduce((sum, { length }) => sum + length, 0)
    const isMost = isAny || count > rows.end * REACHING_MAX_SHARE
    const memories = isMost ? all() : this.#fresh(passing, [asked.same.list, ...owners], proposed)
    return { memories, compared }
  }

  #leaveOutOthers({ points, pointRows }: Asked, passing: Members | undefined): void {
    if (passing === undefined) return
    leaveOutOthers(this.#tables.memory, passing, { points: points.address, rows: pointRows })
  }

  #fresh(
    passing: Members | undefined,
    found: readonly ArrayLike<number>[],
    proposed: Proposed,
  ): Uint32Array {
    const { rows } = this.#tables
    const isPassing = passing === undefined ? undefined : membership(passing)
    return proposed.once(found, {
      end: rows.end,
      isWanted: (memory) => rows.has(memory) && (isPassing?.(memory) ?? true),
    })
  }
}

/** What a row has to reach. With several parts nothing: a memory may be weak for one and strong for the others. */
const strengthMinOf = ({ query, weights }: Asked, threshold: number): number =>
  isLong(query) ? Number.NEGATIVE_INFINITY : strengthFor(threshold, weights)

/** The rows that are estimated best for a part of the query. */
function nearest(
  signs: Signs,
  { query, weights, points }: Asked,
  part: QueryPart,
  { strengthMin, ...wanted }: Wanted,
): Nearest {
  const { scale: cosine } = query.calibration.cosine
  const commonness = weights.commonness.memory * cosine
  const constant = constantOf(part, query.calibration, weights)
  const sameVectorMin = constant + cosine - commonness
  const asking = { vector: part.vector, points, cosine, commonness, constant }
  const floor = Math.min(strengthMin, sameVectorMin)
  return { ...signs.nearest({ ...asking, strengthMin: floor }, wanted), sameVectorMin }
}

/**
 * What every meaning has besides cosine and commonness, or a little more: memories whose commonness is
 * not known have that of a typical text, and the signs take another for it.
 */
function constantOf(part: QueryPart, calibration: Calibration, weights: Weights): number {
  const { cosine, commonnessTypical } = calibration
  const nothing = { cosine: 0, commonness: 0 }
  const own = similarityOf(nothing, calibration, weights)
  const doubt = Math.abs(commonnessTypical - cosine.scale * COMMONNESS_TYPICAL - cosine.offset)
  const meaning = meaningOf(own, own, part.commonness, calibration, weights)
  return meaning + weights.commonness.memory * doubt
}
