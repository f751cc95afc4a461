// Reciprocal rank fusion of several methods (Cormack, Clarke and Büttcher 2009), which looks at places
// instead of scores. Texts are added to those methods, not to this one.
import { bestOf, type Cut, type Hit, type Retriever } from '../retriever.ts'

const K = 60
/** How much of each method's ranking is looked at; further down, a place adds next to nothing. */
const DEPTH = 1_000

export class RankFusion implements Retriever {
  readonly name = 'rank fusion'
  readonly threshold = undefined
  readonly #methods: readonly Retriever[]

  constructor(methods: readonly Retriever[]) {
    this.#methods = methods
  }

  async add(): Promise<void> {}

  async search(user: string, query: string, cut: Cut): Promise<Hit[]> {
    const scores = new Map<string, number>()
    for (const method of this.#methods) {
      const hits = await method.search(user, query, { limit: DEPTH, threshold: 0 })
      for (const [place, { id }] of hits.entries()) {
        scores.set(id, (scores.get(id) ?? 0) + 1 / (K + place + 1))
      }
    }
    return bestOf(
      [...scores].map(([id, score]) => ({ id, score })),
      cut,
    )
  }
}
