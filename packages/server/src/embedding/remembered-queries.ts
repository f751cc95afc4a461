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

/** `asking`: how many wait for it. When the last of them has left, it is given up. */
type UnderWay = { coming: Promise<QueryPart[]>; givenUp: AbortController; asking: number }

export function withRememberedQueries(embedder: Embedder, bytesMax: number = BYTES_MAX): Embedder {
  const remembered = new LRUCache<string, QueryPart[]>({
    maxSize: bytesMax,
    sizeCalculation: bytesOf,
  })
  const underWay = new Map<string, UnderWay>()

  function begin(query: string, asker: number | undefined, checksum: string): UnderWay {
    const givenUp = new AbortController()
    const coming = embedder.embedQuery(query, asker, givenUp.signal)
    const begun = { coming, givenUp, asking: 0 }
    const end = (): void => leave(checksum, begun)
    // What fails is not remembered: the next to ask tries again.
    coming.then((vectors) => remembered.set(checksum, vectors)).then(end, end)
    underWay.set(checksum, begun)
    return begun
  }

  /** From now on it is begun anew. */
  function leave(checksum: string, left: UnderWay): void {
    if (underWay.get(checksum) === left) underWay.delete(checksum)
  }

  function vectorsOf(
    query: string,
    asker: number | undefined,
    signal: AbortSignal | undefined,
  ): QueryPart[] | Promise<QueryPart[]> {
    signal?.throwIfAborted()
    const checksum = `${asker ?? ''} ${hash('sha256', query, 'base64')}`
    const known = remembered.get(checksum)
    if (known !== undefined) return known
    const joined = underWay.get(checksum) ?? begin(query, asker, checksum)
    joined.asking += 1
    signal?.addEventListener('abort', () => {
      joined.asking -= 1
      if (joined.asking > 0) return
      leave(checksum, joined)
      joined.givenUp.abort(signal.reason)
    })
    return joined.coming
  }

  return {
    model: embedder.model,
    embedMemory: (...asked) => embedder.embedMemory(...asked),
    // Copies: whoever gets vectors may change them or hand them to another thread.
    embedQuery: async (query, ...whose) =>
      (await vectorsOf(query, ...whose)).map((part) => ({ ...part, vector: part.vector.slice() })),
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
