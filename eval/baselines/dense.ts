// The bundled model alone: the cosine of the query with the best piece of a text, embedded as the product
// does it. The threshold is the 0.5 that most products ship.
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { bestOf, type Cut, type Hit, type Retriever, type Text } from '../retriever.ts'

type Embedded = { id: string; pieces: Float32Array[] }

export class Dense implements Retriever {
  readonly name = 'the model alone'
  readonly threshold = 0.5
  readonly #embedder: Embedder
  readonly #users = new Map<string, Embedded[]>()

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  async add(user: string, texts: readonly Text[]): Promise<void> {
    const embedded = await Promise.all(
      texts.map(async ({ id, content }) => {
        const pieces = await this.#embedder.embedMemory(content)
        return { id, pieces: pieces.map(({ vector }) => vector) }
      }),
    )
    this.#users.set(user, (this.#users.get(user) ?? []).concat(embedded))
  }

  async search(user: string, query: string, cut: Cut): Promise<Hit[]> {
    const parts = await this.#embedder.embedQuery(query)
    const hits = (this.#users.get(user) ?? []).map(({ id, pieces }) => ({
      id,
      score: parts.reduce((sum, { vector }) => sum + bestCosine(vector, pieces), 0) / parts.length,
    }))
    return bestOf(hits, { threshold: this.threshold, ...cut })
  }
}

const bestCosine = (query: Float32Array, pieces: readonly Float32Array[]): number =>
  Math.max(...pieces.map((piece) => dot(query, piece)))

/** Vectors have the length one. */
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
