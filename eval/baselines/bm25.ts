// Okapi BM25 as in textbooks (Robertson and Zaragoza 2009), with the idf that stays positive.
import { bestOf, type Cut, type Hit, type Retriever, type Text } from '../retriever.ts'
import { wordsOf } from './words.ts'

const K1 = 1.2
const B = 0.75

type Document = { id: string; length: number; counts: Map<string, number> }

export class Bm25 implements Retriever {
  readonly name = 'BM25'
  /** Scores grow with the length of the query, so that no threshold makes sense. */
  readonly threshold = undefined
  readonly #users = new Map<string, Document[]>()

  async add(user: string, texts: readonly Text[]): Promise<void> {
    const documents = this.#users.get(user) ?? []
    this.#users.set(user, documents.concat(texts.map(toDocument)))
  }

  async search(user: string, query: string, cut: Cut): Promise<Hit[]> {
    return bestOf(scores(this.#users.get(user) ?? [], [...new Set(wordsOf(query))]), cut)
  }
}

function toDocument({ id, content }: Text): Document {
  const words = wordsOf(content)
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { id, length: words.length, counts }
}

function scores(documents: readonly Document[], words: readonly string[]): Hit[] {
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const weighed = words.map((word) => {
    const having = documents.filter(({ counts }) => counts.has(word)).length
    return { word, idf: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) }
  })
  return documents.map(({ id, length, counts }) => {
    const norm = K1 * (1 - B + (B * length) / meanLength)
    const score = weighed.reduce((sum, { word, idf }) => {
      const count = counts.get(word) ?? 0
      return sum + (idf * count * (K1 + 1)) / (count + norm)
    }, 0)
    return { id, score }
  })
}
