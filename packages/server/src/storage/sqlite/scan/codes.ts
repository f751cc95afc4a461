// Vectors in a quarter of their size: each number as one signed byte, and beside them a scale and
// the length of what the rounding took away. By that length the cosine with any query is known to
// lie within a bound, which is a theorem (Cauchy-Schwarz), not an estimate.

/** Codes of a memory's vector are at most this large. */
const CODE_MAX = 127
const QUERY_CODE_MAX = 32_767
const SUM_MAX = 2 ** 31 - 1

/** vector = scale · codes + rest, and `error` is the length of the rest, or a little more. */
export type Coded = { scale: number; error: number }

/** Writes the codes of a vector; what lies behind them stays. The scale is one of 32 bits. */
export function encode(vector: Float32Array, codes: Int8Array): Coded {
  // As large as 32 bits allow after rounding, never too small for the greatest number.
  const scale = Math.fround((greatest(vector) / CODE_MAX) * (1 + 1e-6))
  return { scale, error: write(vector, scale, codes) }
}

/**
 * A query is rounded much finer, and as fine as sums of 32 bits allow for its dimension. `length`
 * is that of the query's vector.
 */
export function encodeQuery(vector: Float32Array, codes: Int16Array): Coded & { length: number } {
  const codeMax = Math.min(QUERY_CODE_MAX, Math.floor(SUM_MAX / (CODE_MAX * vector.length)))
  const scale = (greatest(vector) / codeMax) * (1 + 1e-6)
  return { scale, error: write(vector, scale, codes), length: lengthOf(vector) }
}

/** How far at most the product of the codes lies from that of the vectors. */
export const errorOfProduct = (
  row: { error: number; length: number },
  query: { error: number; length: number },
): number => (row.error * query.length + (row.length + row.error) * query.error) * (1 + 1e-6) + 1e-9

function write(vector: Float32Array, scale: number, codes: Int8Array | Int16Array): number {
  let squares = 0
  for (let axis = 0; axis < vector.length; axis += 1) {
    const value = vector[axis] ?? 0
    const code = scale === 0 ? 0 : Math.round(value / scale)
    codes[axis] = code
    squares += (value - scale * code) ** 2
  }
  return Math.sqrt(squares) * (1 + 1e-6)
}

// Loops, because these run for each vector when a space is loaded.

function greatest(vector: Float32Array): number {
  let most = 0
  for (let axis = 0; axis < vector.length; axis += 1) {
    const size = Math.abs(vector[axis] ?? 0)
    if (size > most) most = size
  }
  return most
}

export function lengthOf(vector: Float32Array): number {
  let squares = 0
  for (let axis = 0; axis < vector.length; axis += 1) squares += (vector[axis] ?? 0) ** 2
  return Math.sqrt(squares)
}
