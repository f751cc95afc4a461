// An embedder that remembers the vectors of its latest queries: agents ask the same thing again, and
// a console searches anew when only a filter changes. A query that several ask at once is embedded
// once. Kept are a checksum and the vectors, never the text, for each asker apart. What is remembered
// belongs to one opened model and goes with it, so that vectors of two models cannot meet.
// decisions/2026-11-21-embedder-speed.md
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { QueryPart } from '../retrieval/evidence.ts'
import type { Embedder } from './embedder.ts'

/** About 2,700 short queries of the bundled model. */
const BYTES_MAX = 4 * 1024 * 1024

export function withRememberedQueries(embedder: Embedder, bytesMax: number = BYTES_MAX): Embedder {
  const remembered = new LRUCache<string, QueryPart[]>({
    maxSize: bytesMax,
    sizeCalculation: bytesOf,
  })
  const underWay = new Map<string, Promise<QueryPart[]>>()

  /** What fails is not remembered: the next to ask tries again. */
  async function embedded(
    query: string,
    asker: number | undefined,
    checksum: string,
  ): Promise<QueryPart[]> {
    try {
      const vectors = await embedder.embedQuery(query, asker)
      remembered.set(checksum, vectors)
      return vectors
    } finally {
      underWay.delete(checksum)
    }
  }

  function vectorsOf(query: string, asker: number | undefined): QueryPart[] | Promise<QueryPart[]> {
    const checksum = `${asker ?? ''} ${hash('sha256', query, 'base64')}`
    const known = remembered.get(checksum) ?? underWay.get(checksum)
    if (known !== undefined) return known
    const coming = embedded(query, asker, checksum)
    underWay.set(checksum, coming)
    return coming
  }

  return {
    model: embedder.model,
    embedMemory: (...asked) => embedder.embedMemory(...asked),
    // Copies: whoever gets vectors may change them or hand them to another thread.
    embedQuery: async (query, asker) =>
      (await vectorsOf(query, asker)).map((part) => ({ ...part, vector: part.vector.slice() })),
    isReady: () => embedder.isReady(),
    async close() {
      remembered.clear()
      await embedder.close()
    },
  }
}

/** At least one byte, which is what the bound demands of every entry. */
const bytesOf = (parts: QueryPart[]): number =>
  parts.reduce((sum, { vector }) => sum + vector.byteLength, 1)
