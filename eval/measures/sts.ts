// STS: the first sentence of a pair is the only text of a user, the second the query.

import { inFlight } from '../client.ts'
import { agreement, type RatedPair, type RatedScore, SAME, UNRELATED } from '../data/sts.ts'
import type { Retriever } from '../retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { shareOf } from '../statistics/metrics.ts'

const IN_FLIGHT = 4

export type StsFigures = {
  pairs: number
  spearman: Estimate
  /** Share of the pairs rated 4 and more that are found at the default threshold. */
  sameFound: Estimate
  /** Share of the pairs rated 1 and less that are found at the default threshold. */
  unrelatedFound: Estimate
}

/** Only for methods with a threshold: the others cannot score a pair by itself. */
export async function measureSts(
  retriever: Retriever,
  pairs: readonly RatedPair[],
): Promise<StsFigures | undefined> {
  const { threshold } = retriever
  if (threshold === undefined) return undefined
  const rated = await inFlight(pairs, IN_FLIGHT, async ({ first, second, rating }, index) => {
    const user = `pair-${index}`
    await retriever.add(user, [{ id: user, content: first }])
    const [hit] = await retriever.search(user, second, { limit: 1, threshold: 0 })
    return { rating, score: hit?.score ?? 0 }
  })
  const found = (some: readonly RatedScore[]): number =>
    shareOf(some, (pair) => pair.score >= threshold)
  return {
    pairs: pairs.length,
    spearman: bootstrap(rated, agreement),
    sameFound: bootstrap(
      rated.filter(({ rating }) => rating >= SAME),
      found,
    ),
    unrelatedFound: bootstrap(
      rated.filter(({ rating }) => rating <= UNRELATED),
      found,
    ),
  }
}
