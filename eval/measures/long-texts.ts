// Single facts at positions from first to last in texts of the greatest length (long-texts.ts).

import { asDictated, BURIED_FACTS, longTexts } from '../data/long-texts.ts'
import type { Retriever } from '../retriever.ts'
import { type Found, measureFound } from './found.ts'

const CONTENT_LENGTH_MAX = 10_000

export type LongFigures = { texts: number; sharing: Found; otherWords: Found; fact: Found }

/** Whether punctuation ends the sentences of the texts. */
export type LongForm = 'sentences' | 'dictated'

export async function measureLong(retriever: Retriever, form: LongForm): Promise<LongFigures> {
  const user = `long-${form}`
  const written = form === 'dictated' ? asDictated : (text: string) => text
  const texts = longTexts(CONTENT_LENGTH_MAX).map((text, index) => ({
    id: `${index}`,
    content: written(text),
  }))
  await retriever.add(user, texts)
  const judge = (questions: readonly string[]): Promise<Found> => {
    const wanted = questions.map((question, index) => ({ question, id: `${index}` }))
    return measureFound(retriever, { user, memories: texts.length }, wanted)
  }
  return {
    texts: texts.length,
    sharing: await judge(BURIED_FACTS.map(({ sharing }) => sharing)),
    otherWords: await judge(BURIED_FACTS.map(({ otherWords }) => otherWords)),
    fact: await judge(BURIED_FACTS.map(({ fact }) => written(fact))),
  }
}
