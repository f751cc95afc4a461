// Reads an answer of the `/embeddings` protocol: one vector per text, in the order of the texts,
// scaled to length one. Whatever is not exactly that is refused: a vector in the wrong place or of
// the wrong length would make wrong search results, silently and for good.
import { type Static, Type } from 'typebox'
import { fits } from '../../fits.ts'
import { parsedJson } from '../../parsed-json.ts'
import { hasUnitLength, toUnitLength } from '../embedder.ts'
import { EndpointError, WrongDimension } from './endpoint-error.ts'

const EmbeddingsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({ index: Type.Integer({ minimum: 0 }), embedding: Type.Array(Type.Number()) }),
  ),
})
type EmbeddingsAnswer = Static<typeof EmbeddingsAnswer>

/** Throws an EndpointError, a WrongDimension when only that is wrong. */
export function vectorsOf(
  body: string,
  { count, dimension }: { count: number; dimension: number },
): Float32Array[] {
  const { data } = parsed(body)
  if (data.length !== count) {
    throw new EndpointError(`The embedding service gave ${data.length} vectors for ${count} texts.`)
  }
  const vectors = data
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, embedding }, position) => {
      if (index !== position) {
        throw new EndpointError('The embedding service numbered its vectors wrongly.')
      }
      return Float32Array.from(embedding)
    })
  for (const vector of vectors) {
    if (vector.length !== dimension) throw new WrongDimension(vector.length)
  }
  return vectors.map(scaled)
}

function parsed(body: string): EmbeddingsAnswer {
  const answer = parsedJson(body)
  if (answer === undefined) {
    throw new EndpointError('The embedding service did not answer with JSON.')
  }
  if (fits(EmbeddingsAnswer, answer)) return answer
  throw new EndpointError('The embedding service answered with something other than embeddings.')
}

function scaled(vector: Float32Array): Float32Array {
  const unit = toUnitLength(vector)
  // Some services give zeros instead of an error; and numbers may be too large for 32 bits.
  if (hasUnitLength(unit)) return unit
  throw new EndpointError('The embedding service gave a vector without direction.')
}
