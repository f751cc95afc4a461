// Codes, names, numbers and addresses (exact-facts.ts): whether a search finds them among ordinary texts.

import { EXACT_FACTS, ORDINARY_MEMORIES, queriesFor } from '../data/exact-facts.ts'
import type { Retriever } from '../retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { shareOf } from '../statistics/metrics.ts'

const USER = 'exact-facts'
const PLACES = 3

/**
 * "Found" means among the first three and let through by default. `others` is the share of questions about
 * things that no text has, but that resemble one of a text, for which that text is found.
 */
export type ExactFigures = {
  queries: number
  texts: number
  found: Estimate
  missed: string[]
  others: Estimate
}

export async function measureExact(retriever: Retriever): Promise<ExactFigures> {
  const texts = [...EXACT_FACTS.map(({ memory }) => memory), ...ORDINARY_MEMORIES]
  await retriever.add(
    USER,
    texts.map((content) => ({ id: content, content })),
  )
  const asked: { query: string; isFound: boolean }[] = []
  for (const { memory, thing } of EXACT_FACTS) {
    for (const query of queriesFor(thing)) {
      const hits = await retriever.search(USER, query, { limit: PLACES })
      asked.push({ query, isFound: hits.some(({ id }) => id === memory) })
    }
  }
  const others: boolean[] = []
  for (const { memory, thing, other } of EXACT_FACTS) {
    if (other === undefined) continue
    const statement = memory.includes(thing) ? memory.replace(thing, other) : other
    for (const query of [other, `What about ${other}?`, `Is it true: ${statement}?`]) {
      const hits = await retriever.search(USER, query, { limit: PLACES })
      others.push(hits.some(({ id }) => id === memory))
    }
  }
  return {
    queries: asked.length,
    texts: texts.length,
    found: bootstrap(asked, (some) => shareOf(some, ({ isFound }) => isFound)),
    missed: asked.filter(({ isFound }) => !isFound).map(({ query }) => query),
    others: bootstrap(others, (some) => shareOf(some, (isFound) => isFound)),
  }
}
