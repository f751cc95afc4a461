// What a query asks of one space: its terms with what the space knows about them, the points that they
// give to each memory, and what the other kinds of evidence weigh. Made once for each search.
import type { Weights } from '../../../../retrieval/calibration.ts'
import type { ExpectedQuery, SearchQuery } from '../../../../retrieval/evidence.ts'
import { weightsFor } from '../../../../retrieval/scoring.ts'
import { namesIn, type WeighedTerm } from '../../../../retrieval/weighing.ts'
import { membership } from '../postings/groups.ts'
import type { WordPoints, WordPointsRoom, WordWorth } from '../postings/word-points.ts'
import type { SpaceTables } from '../tables/space-tables.ts'
import { MemoryEvidence } from './memory-evidence.ts'

/** What the greatest strength of a kind of evidence is, in points. */
const POINTS = 8_192

export type Asked = WordPoints & {
  query: SearchQuery
  weights: Weights
  evidence: MemoryEvidence
  /** The memories that probably have the very text of the query. */
  same: { list: Uint32Array; has: (memory: number) => boolean }
  /** Before the points are read when others may have been searched in between. */
  putBackPoints: () => void
}

/** Each of its parts may take some milliseconds, so others may come in between. */
export const isLong = ({ parts }: SearchQuery): boolean => parts.length > 1

/** The points hold until the next query is asked. */
export function ask(tables: SpaceTables, room: WordPointsRoom, query: SearchQuery): Asked {
  const same = tables.terms.sameAs(query.identity)
  const words = room.of(tables, query, worthFor(query))
  const evidence = new MemoryEvidence(query, words.terms)
  return {
    ...words,
    query,
    weights: evidence.weights,
    evidence,
    same: { list: same, has: same.length === 0 ? () => false : membership({ list: same }) },
    putBackPoints: isLong(query) ? room.keep(tables, words) : () => undefined,
  }
}

/** Does what can be done of `ask` while the query has no vectors. */
export function askAhead(tables: SpaceTables, room: WordPointsRoom, query: ExpectedQuery): void {
  room.expect(tables, query, worthFor(query))
}

/** Whether the query has names is known when the space has weighed its terms. */
const worthFor =
  ({ calibration, asks }: ExpectedQuery) =>
  (terms: readonly WeighedTerm[]): WordWorth => {
    const { coverage, names } = weightsFor(calibration, { asks, hasNames: namesIn(terms) > 0 })
    const greatest = Math.max(calibration.cosine.scale, 2 * (coverage + names))
    return { unit: greatest / POINTS, coverage, names }
  }
