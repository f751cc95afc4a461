// What a query asks of one space: its terms with what the space knows about them, the points that they
// give to each memory, and what the other kinds of evidence weigh. Made once for each search.
import type { Weights } from '../../../retrieval/calibration.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { weightsFor } from '../../../retrieval/scoring.ts'
import type { WeighedTerm } from '../../../retrieval/weighing.ts'
import { MemoryEvidence } from './memory-evidence.ts'
import { CHUNK_ROWS } from './scan/code-memory.ts'
import type { Points } from './signs.ts'
import type { SpaceTables } from './space-tables.ts'

/** Of sums of numbers around one, and far above it. */
export const ROUNDING = 1e-9
/** What the greatest strength of a kind of evidence is, in points. */
const POINTS = 8_192

export type Asked = {
  query: SearchQuery
  weights: Weights
  /** With what this space knows about them. */
  terms: readonly WeighedTerm[]
  evidence: MemoryEvidence
  points: Points
  /** Rows that have points, of which the last may not exist yet. */
  pointRows: number
  /** How far the points of a memory lie at most from what its terms are worth: points are whole. */
  pointsError: number
  /** What every memory gets, whatever its words. */
  nameless: number
  /** The memories that probably have the very text of the query. */
  same: ReadonlySet<number>
}

/** The points lie in the memory of the codes, until the next query is asked. */
export function ask(tables: SpaceTables, query: SearchQuery): Asked {
  const { terms: index, rows, memory } = tables
  const weights = weightsFor(query.calibration, query.asks)
  const terms = index.weigh(query.terms, tables.size)
  const names = terms.filter(({ isName }) => isName).length
  const greatest = Math.max(query.calibration.cosine.scale, 2 * (weights.coverage + weights.names))
  const unit = greatest / POINTS
  const pointRows = Math.ceil(rows.end / CHUNK_ROWS) * CHUNK_ROWS
  const points = { unit, address: memory.zeroPoints(pointRows) }
  const worthOf = ({ share, isName }: WeighedTerm): number =>
    weights.coverage * share + (isName ? weights.names / names : 0)
  index.addPoints(
    memory,
    { points: points.address, rows: pointRows },
    terms.map((term) => ({ forms: term.forms, worth: Math.round(worthOf(term) / unit) })),
  )
  return {
    query,
    weights,
    terms,
    points,
    pointRows,
    pointsError: (unit * terms.length) / 2,
    evidence: new MemoryEvidence(query, terms),
    nameless: names === 0 ? weights.nameless : 0,
    same: new Set(index.sameAs(query.identity)),
  }
}
