// Everyday questions among the few memories of a person: whether the answer is found, and what else is.

import { type EverydayPerson, type EverydaySet, everydayPeople } from '../data/everyday.ts'
import type { Retriever } from '../retriever.ts'
import { bootstrap, type Estimate } from '../statistics/bootstrap.ts'
import { mean, shareOf } from '../statistics/metrics.ts'

export type EverydayFigures = {
  questions: number
  /** The share of answers that come first, whatever their score. */
  first: Estimate
  /** The share of answers that are let through by default. */
  found: Estimate
  /** How many other memories are let through, on average. */
  others: Estimate
  /** The share of questions without an answer for which anything is let through. */
  near: Estimate
  far: Estimate
}

export const measureEveryday = (retriever: Retriever, set: EverydaySet): Promise<EverydayFigures> =>
  measurePeople(retriever, set, everydayPeople(set))

/** `name` distinguishes these people from those of other measurements. */
export async function measurePeople(
  retriever: Retriever,
  name: string,
  people: readonly EverydayPerson[],
): Promise<EverydayFigures> {
  const answered: { isFirst: boolean; isFound: boolean; others: number }[] = []
  const unanswered: Record<'near' | 'far', boolean[]> = { near: [], far: [] }
  for (const [index, { memories, near, far }] of people.entries()) {
    const user = `${name} ${index + 1}`
    const limit = memories.length
    const isAnythingFound = async (question: string): Promise<boolean> =>
      (await retriever.search(user, question, { limit: 1 })).length > 0
    await retriever.add(
      user,
      memories.map(({ content }, at) => ({ id: `${at}`, content })),
    )
    for (const [at, { questions }] of memories.entries()) {
      for (const question of questions) {
        const [first] = await retriever.search(user, question, { limit, threshold: 0 })
        const found = await retriever.search(user, question, { limit })
        const others = found.filter(({ id }) => id !== `${at}`).length
        answered.push({ isFirst: first?.id === `${at}`, isFound: others < found.length, others })
      }
    }
    for (const question of near) unanswered.near.push(await isAnythingFound(question))
    for (const question of far) unanswered.far.push(await isAnythingFound(question))
  }
  const share = (some: readonly boolean[]): number => shareOf(some, (found) => found)
  return {
    questions: answered.length,
    first: bootstrap(answered, (some) => shareOf(some, ({ isFirst }) => isFirst)),
    found: bootstrap(answered, (some) => shareOf(some, ({ isFound }) => isFound)),
    others: bootstrap(answered, (some) => mean(some.map(({ others }) => others))),
    near: bootstrap(unanswered.near, share),
    far: bootstrap(unanswered.far, share),
  }
}
