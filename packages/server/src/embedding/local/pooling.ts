// From what the model puts out to one vector for the text. A text runs alone, so there is no
// padding: every token of the output is a token of the text and counts the same.
import type { Pooling } from './manifest.ts'

type Output = { data: Float32Array; dims: readonly number[] }

/** Throws when a vector for each token comes without a pooling, or the shape is another one. */
export function pooled({ data, dims }: Output, pooling: Pooling | undefined): Float32Array {
  const dimension = dims.at(-1) ?? 0
  // Some models have pooled already.
  if (dims.length === 2 && dims[0] === 1) return data.slice(0, dimension)
  if (dims.length !== 3 || dims[0] !== 1) {
    throw new Error(`The model gives an output of the shape ${dims.join(' × ')}.`)
  }
  if (pooling === undefined) {
    throw new Error('The model gives a vector for each token, so its manifest needs a "pooling".')
  }
  const tokens = dims[1] ?? 0
  if (pooling === 'cls') return data.slice(0, dimension)
  if (pooling === 'last') return data.slice((tokens - 1) * dimension, tokens * dimension)
  return meanOf(data, tokens, dimension)
}

function meanOf(data: Float32Array, tokens: number, dimension: number): Float32Array {
  const sums = new Float64Array(dimension)
  for (let token = 0; token < tokens; token += 1) {
    for (let axis = 0; axis < dimension; axis += 1) {
      sums[axis] = (sums[axis] ?? 0) + (data[token * dimension + axis] ?? 0)
    }
  }
  return Float32Array.from(sums, (sum) => sum / tokens)
}
