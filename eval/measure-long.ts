// Single facts at every position of texts of the greatest length.
import { bootstrap, type Estimate } from './bootstrap.ts'
import { inFlight } from './client.ts'
import { asDictated, BURIED_FACTS, longTexts } from './long-texts.ts'
import { mean, shareOf } from './metrics.ts'
import type { Retriever } from './retriever.ts'

const CONTENT_LENGTH_MAX = 10_000

export type LongFigures = { texts: number; sharing: Found; otherWords: Found; fact: Found }

/** Whether sentences end in the texts. */
export type LongForm = 'sentences' | 'dictated'

type Found = {
  /** Whatever its score. */
  first: Estimate
  /** First, and let through by default. */
  firstAndFound: Estimate
  /** The share of the other texts that are let through by default. */
  others: Estimate
}

export async function measureLong(retriever: Retriever, form: LongForm): Promise<LongFigures> {
  const user = `long-${form}`
  const written = form === 'dictated' ? asDictated : (text: string) => text
  const texts = longTexts(CONTENT_LENGTH_MAX).map((text, index) => ({
    id: `${index}`,
    content: written(text),
  }))
  await retriever.add(user, texts)
  const judge = async (questions: readonly string[]): Promise<Found> => {
    const judged = await inFlight(questions, 1, async (question, index) => {
      const cut = { limit: texts.length }
      const [first] = await retriever.search(user, question, { ...cut, threshold: 0 })
      const found = await retriever.search(user, question, cut)
      const own = `${index}`
      return {
        isFirst: first?.id === own,
        isFirstAndFound: found[0]?.id === own,
        others: found.filter(({ id }) => id !== own).length / (texts.length - 1),
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
  return {
    texts: texts.length,
    sharing: await judge(BURIED_FACTS.map(({ sharing }) => sharing)),
    otherWords: await judge(BURIED_FACTS.map(({ otherWords }) => otherWords)),
    fact: await judge(BURIED_FACTS.map(({ fact }) => written(fact))),
  }
}
