// How many memories of a space have a term: what was counted, and what was created since.
import type { SpaceId } from '../../records.ts'
import { prepared, type Transaction } from '../connection/transaction.ts'
import { EVERY_MEMORY } from '../pieces.ts'
import { isAmong } from '../search/listed.ts'
import { oneByItself } from '../search/plans.ts'
import { EXACT_MAX } from '../search/search-size.ts'

// Of a space that the planner does not know it would rather read all counts.
const COUNT = prepared<{ term: string; memories: number; uncounted: number }>(
  `SELECT term, sum(memories)::int AS memories, sum(uncounted)::int AS uncounted FROM (
     SELECT asked.term, memories, 0 AS uncounted FROM unnest($3::text[]) AS asked (term)
     ${oneByItself(
       'SELECT memories FROM term_counts WHERE space_no = $1 AND generation = $2 AND term = asked.term',
       'counted',
     )}
     UNION ALL
     SELECT term, 1, 1 FROM uncounted CROSS JOIN unnest(terms) AS term
     WHERE space_no = $1 AND generation = $2 AND ${isAmong('term', '$3')}) AS counted
   GROUP BY term`,
)

/** Those whose rows need a place in the index of vectors. */
export const LARGE_SPACES = prepared<{ space: SpaceId }>(
  `SELECT space_no AS space FROM term_counts WHERE generation = $1 AND term = '${EVERY_MEMORY}'
     AND memories > ${EXACT_MAX} ORDER BY space_no`,
)

export type TermCounts = {
  /** Of all memories. */
  memories: number
  /** Of these, those that still wait to be counted. */
  uncounted: number
  with: (term: string) => number
}

/** Of these terms; others count as none. Ask in a snapshot, together with the rows it is for. */
export async function countTerms(
  transaction: Transaction,
  { space, generation }: { space: SpaceId; generation: number },
  terms: readonly string[],
): Promise<TermCounts> {
  const rows = await transaction.all(COUNT, [space, generation, [EVERY_MEMORY, ...terms]])
  const counts = new Map(rows.map(({ term, memories }) => [term, memories]))
  const all = rows.find(({ term }) => term === EVERY_MEMORY)
  return {
    memories: all?.memories ?? 0,
    uncounted: all?.uncounted ?? 0,
    with: (term) => counts.get(term) ?? 0,
  }
}
