// Two measurements on generated data, which need no file: things that have to be found exactly, and
// single facts in very long memories.
import { inFlight, type MeasuringClient } from './client.ts'
import { EXACT_FACTS, ORDINARY_MEMORIES, queriesFor } from './exact-facts.ts'
import { BURIED_FACTS, longTexts } from './long-texts.ts'
import { mean, shareOf } from './metrics.ts'

const CONTENT_LENGTH_MAX = 10_000
const DEFAULT_THRESHOLD = 0.5

export type ExactFigures = { queries: number; found: number; missed: string[] }

/** "Found" means among the first three and at or above the default threshold. */
export async function measureExact(client: MeasuringClient): Promise<ExactFigures> {
  const user = 'exact-facts'
  const memories = [...EXACT_FACTS.map(({ memory }) => memory), ...ORDINARY_MEMORIES]
  await inFlight(memories, 4, (memory) => client.create(user, memory))
  const queries = EXACT_FACTS.flatMap(({ memory, thing }) =>
    queriesFor(thing).map((query) => ({ query, memory })),
  )
  const missed: string[] = []
  for (const { query, memory } of queries) {
    const { result } = await client.search(query, { userId: user, limit: 3 })
    if (!result.some(({ content }) => content === memory)) missed.push(query)
  }
  return { queries: queries.length, found: 1 - missed.length / queries.length, missed }
}

export type LongFigures = {
  texts: number
  createMs: number
  /** Shares found first and at or above the default threshold, and the wrong texts beside them. */
  sharing: { first: number; found: number; others: number }
  otherWords: { first: number; found: number; others: number }
}

export async function measureLong(client: MeasuringClient): Promise<LongFigures> {
  const user = 'long-texts'
  const created = await inFlight(longTexts(CONTENT_LENGTH_MAX), 1, (text) =>
    client.create(user, text),
  )
  const ids = created.map(({ result }) => result)
  const judge = async (questions: readonly string[]) => {
    const judged = await inFlight(questions, 1, async (question, index) => {
      const { result } = await client.search(question, { userId: user, limit: 100, threshold: 0 })
      const above = result.filter(({ score }) => score >= DEFAULT_THRESHOLD)
      const own = above.filter(({ id }) => id === ids[index]).length
      return {
        first: result[0]?.id === ids[index],
        found: own === 1,
        others: (above.length - own) / (ids.length - 1),
      }
    })
    return {
      first: shareOf(judged, ({ first }) => first),
      found: shareOf(judged, ({ found }) => found),
      others: mean(judged.map(({ others }) => others)),
    }
  }
  return {
    texts: ids.length,
    createMs: mean(created.map(({ tookMs }) => tookMs)),
    sharing: await judge(BURIED_FACTS.map(({ sharing }) => sharing)),
    otherWords: await judge(BURIED_FACTS.map(({ otherWords }) => otherWords)),
  }
}
