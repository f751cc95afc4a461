// STS over HTTP: the first sentence of a pair is the only memory of a user, the second the query.
import { inFlight, type MeasuringClient } from './client.ts'
import { shareOf, spearman } from './metrics.ts'
import type { RatedPair } from './sts.ts'

const DEFAULT_THRESHOLD = 0.5
const SAME = 4
const UNRELATED = 1

export type StsFigures = {
  pairs: number
  spearman: number
  /** Share of the pairs rated 4 and more that are found at the default threshold. */
  sameFound: number
  /** Share of the pairs rated 1 and less that are found at the default threshold. */
  unrelatedFound: number
}

export async function measureSts(
  client: MeasuringClient,
  pairs: readonly RatedPair[],
  width: number,
): Promise<StsFigures> {
  const user = (index: number): string => `pair-${index}`
  await inFlight(pairs, width, ({ first }, index) => client.create(user(index), first))
  const rated = await inFlight(pairs, width, async ({ second, rating }, index) => {
    const { result } = await client.search(second, { userId: user(index), threshold: 0 })
    return { rating, score: result[0]?.score ?? 0 }
  })
  const found = ({ score }: { score: number }): boolean => score >= DEFAULT_THRESHOLD
  return {
    pairs: pairs.length,
    spearman: spearman(
      rated.map(({ score }) => score),
      rated.map(({ rating }) => rating),
    ),
    sameFound: shareOf(
      rated.filter(({ rating }) => rating >= SAME),
      found,
    ),
    unrelatedFound: shareOf(
      rated.filter(({ rating }) => rating <= UNRELATED),
      found,
    ),
  }
}
