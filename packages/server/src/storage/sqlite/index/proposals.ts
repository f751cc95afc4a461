// The memories among which the best of a space are looked for. Of a large space, about two thousand that
// the signs propose, and more where one that is left out may be among the best. Of a small one, all that
// can be strong enough for an answer: one pass over the codes of its vectors leaves out the others and
// only those, so the answer stays that of scoring every memory.
// decisions/2026-11-21-search-at-scale.md, decisions/2026-11-22-strong-enough.md
import type { Calibration, Weights } from '../../../retrieval/calibration.ts'
import type { QueryPart } from '../../../retrieval/evidence.ts'
import {
  meaningOf,
  SAME_TEXT_COSINE_MIN,
  similarityOf,
  strengthFor,
} from '../../../retrieval/scoring.ts'
import type { MemoryFilter } from '../../store.ts'
import { type Asked, ROUNDING } from './asked.ts'
import type { ComparedRows } from './byte-codes.ts'
import { countOf, leaveOutOthers, listOf, membership } from './groups.ts'
import { linearSimilarity } from './meanings.ts'
import type { Members } from './postings.ts'
import type { Signs } from './signs.ts'
import { COMMONNESS_TYPICAL, type SpaceTables } from './space-tables.ts'
import type { Workspace } from './workspace.ts'

/** Rows that the signs of a large space propose for each part of a query: see the record. */
const NEAREST = 2_000
/** The same where one that is left out may be among the best. */
const NEAREST_IN_DOUBT = 8_000
/** Of a small space: with fewer that pass the filter, each of them is looked at. */
const PASSING_MIN_SHARE = 1 / 4
/** With more that are strong enough, all are looked at: leaving out the others would save nothing. */
const REACHING_MAX_SHARE = 1 / 2

export type Proposed = {
  memories: Uint32Array
  /** With the only part of the query, when all rows were compared with it. */
  compared?: ComparedRows
  /** A memory that is left out may have this strength. More are proposed where the best have no more. */
  wider?: { leftOutMax: number; propose: () => Proposed }
}

type Wanted = { count: number; strengthMin: number }

export class Proposals {
  readonly #tables: SpaceTables
  readonly #workspace: Workspace

  constructor(tables: SpaceTables, workspace: Workspace) {
    this.#tables = tables
    this.#workspace = workspace
  }

  /** Each once, and only those that pass the filter. */
  for(asked: Asked, filter: MemoryFilter, threshold: number): Proposed {
    const { groups, signs } = this.#tables
    const passing = groups.passing(filter)
    const strengthMin = strengthMinOf(asked, threshold)
    if (signs === undefined) return this.#strongEnough(asked, passing, strengthMin)
    if (passing !== undefined && countOf(passing) <= NEAREST) return { memories: listOf(passing) }
    this.#leaveOutOthers(asked, passing)
    const propose = (count: number) => {
      const { owners, leftOutMax } = nearest(signs, asked, { count, strengthMin })
      return { memories: this.#distinct(asked, passing, owners), leftOutMax }
    }
    const { memories, leftOutMax } = propose(NEAREST)
    return { memories, wider: { leftOutMax, propose: () => propose(NEAREST_IN_DOUBT) } }
  }

  /**
   * Of a small space. A memory means to a query what its best rows do, at most (`meaningOf`), so one
   * row of it has to be strong enough.
   */
  #strongEnough(asked: Asked, passing: Members | undefined, strengthMin: number): Proposed {
    const { codes, rows } = this.#tables
    const { query, weights, points, nameless, pointsError } = asked
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
      constant: nameless + meaningOf(0, 0, part.commonness, calibration, weights),
      // Where all are looked at, none need to be found.
      strengthMin: isAny ? Number.POSITIVE_INFINITY : strengthMin - pointsError - ROUNDING,
      cosineMin: isAny ? Number.POSITIVE_INFINITY : SAME_TEXT_COSINE_MIN - ROUNDING,
    })
    const count = owners.reduce((sum, { length }) => sum + length, 0)
    const isMost = isAny || count > rows.end * REACHING_MAX_SHARE
    return { memories: isMost ? all() : this.#distinct(asked, passing, owners), compared }
  }

  #leaveOutOthers({ points, pointRows }: Asked, passing: Members | undefined): void {
    if (passing === undefined) return
    leaveOutOthers(this.#tables.memory, passing, { points: points.address, rows: pointRows })
  }

  #distinct(
    { same }: Asked,
    passing: Members | undefined,
    found: readonly ArrayLike<number>[],
  ): Uint32Array {
    const { rows } = this.#tables
    const isPassing = passing === undefined ? undefined : membership(passing)
    return this.#workspace.distinct([[...same], ...found], {
      end: rows.end,
      isWanted: (memory) => rows.has(memory) && (isPassing?.(memory) ?? true),
    })
  }
}

/** What a row has to reach. Of several parts, one may say little and the others much. */
const strengthMinOf = ({ query, weights }: Asked, threshold: number): number =>
  query.parts.length > 1 ? Number.NEGATIVE_INFINITY : strengthFor(threshold, weights)

/** The owners of the rows that are estimated best, for each part of the query. */
function nearest(
  signs: Signs,
  asked: Asked,
  { count, strengthMin }: Wanted,
): { owners: Uint32Array[]; leftOutMax: number } {
  const { query, weights, points, nameless } = asked
  const { scale: cosine } = query.calibration.cosine
  const commonness = weights.commonness.memory * cosine
  const found = query.parts.map((part) => {
    const constant = nameless + constantOf(part, query.calibration, weights)
    // The same vector has the score 1 whatever its strength.
    const floor = Math.min(strengthMin, constant + cosine - commonness)
    const asking = { vector: part.vector, points, cosine, commonness, constant }
    return signs.nearest({ ...asking, strengthMin: floor }, count)
  })
  return {
    owners: found.map(({ owners }) => owners),
    // The strength of a memory is the mean over the parts.
    leftOutMax: found.reduce((sum, { leftOutMax }) => sum + leftOutMax, 0) / found.length,
  }
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
