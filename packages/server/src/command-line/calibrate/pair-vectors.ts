// The vectors of rated pairs, each text in its role: the first as a memory, the second as a query.
import type { Commonness } from '../../embedding/commonness/commonness.ts'
import type { Embedder } from '../../embedding/embedder.ts'
import type { Passage, Piece, QueryPart } from '../../retrieval/evidence.ts'
import { embedInTurn } from './embed-in-turn.ts'
import type { RatedPair } from './pairs.ts'

export type EmbeddedPair = RatedPair & { memory: Piece[]; query: QueryPart[] }

export const embedPairs = (
  embedder: Embedder,
  pairs: readonly RatedPair[],
): Promise<EmbeddedPair[]> =>
  embedInTurn(pairs, async (pair) => {
    const [memory, query] = await Promise.all([
      embedder.embedMemory(pair.a),
      embedder.embedQuery(pair.b),
    ])
    return { ...pair, memory, query }
  })

/** As the model would have embedded it with the reference. */
export function measured(pair: EmbeddedPair, commonness: Commonness): EmbeddedPair {
  const measure = <Part extends QueryPart>(part: Part): Part => ({
    ...part,
    commonness: commonness.of(part.vector),
  })
  const memory = pair.memory.map((piece) => ({
    ...measure(piece),
    sentences: piece.sentences.map(measure<Passage>),
  }))
  return { ...pair, memory, query: pair.query.map(measure) }
}

/** Of the nearest piece for each part of the query, averaged over the parts. */
export const cosineOf = ({ memory, query }: EmbeddedPair): number =>
  query.reduce((sum, part) => sum + nearestOf(memory, part), 0) / query.length

/** The cosine of the piece that is nearest to a part. */
export const nearestOf = (memory: readonly Piece[], part: QueryPart): number =>
  Math.max(...memory.map(({ vector }) => dot(vector, part.vector)))

export const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0)
