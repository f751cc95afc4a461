// For questions that exactly one memory answers: whether it comes first, whether the default threshold lets
// it through, and how many others come with it.

import { inFlight } from '../client.ts'
import type { Retriever } from '../retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { mean, shareOf } from '../statistics/metrics.ts'

export type Found = {
  /** The share of answers that come first, whatever their score. */
  first: Estimate
  /** The share that come first and are let through by default. */
  firstAndFound: Estimate
  /** The share of the other memories that are let through by default. */
  others: Estimate
}

type Wanted = { question: string; id: string }

/** `memories` is how many the user has. */
export async function measureFound(
  retriever: Retriever,
  { user, memories }: { user: string; memories: number },
  wanted: readonly Wanted[],
): Promise<Found> {
  const judged = await inFlight(wanted, 1, async ({ question, id: own }) => {
    const cut = { limit: memories }
    const [first] = await retriever.search(user, question, { ...cut, threshold: 0 })
    const found = await retriever.search(user, question, cut)
    return {
      isFirst: first?.id === own,
      isFirstAndFound: found[0]?.id === own,
      others: found.filter(({ id }) => id !== own).length / (memories - 1),
    }
  })
  return {
    first: bootstrap(judged, (some) => shareOf(some, ({ isFirst }) => isFirst)),
    firstAndFound: bootstrap(judged, (some) =>
      shareOf(some, ({ isFirstAndFound }) => isFirstAndFound),
    ),
    others: bootstrap(judged, (some) => mean(some.map(({ others }) => others))),
  }
}
