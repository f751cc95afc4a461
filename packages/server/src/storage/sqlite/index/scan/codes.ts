// Vectors in a quarter or an eighth of their size. As bytes, each number is one signed byte, and the
// length of what the rounding took away bounds the error of a cosine with any query: a theorem
// (Cauchy-Schwarz), not an estimate. As halves, each number is one of sixteen steps, after the middle
// of the space's vectors was taken away; the error is then a likely one, known by its spread.

/** Codes of a memory's vector are at most this large. */
const CODE_MAX = 127
const QUERY_CODE_MAX = 32_767
const SUM_MAX = 2 ** 31 - 1
/** Steps of a half lie at (n - 7.5) times this share of the root mean square: least error, measured. */
const STEP = 0.4
export const HALF_MIDDLE = 7.5
const HALF_MAX = 15

/** vector = scale · codes + rest, and `error` is the length of the rest, or a little more. */
type Coded = { scale: number; error: number }

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

/**
 * Writes a vector as halves, two a byte: of each 16 bytes the lower halves stand for the first 16
 * axes, the upper halves for the next 16. The scale makes the codes' product with the vector itself
 * exact, which takes the bias from products with vectors near it
 * (Gao, Long: RaBitQ, https://arxiv.org/abs/2405.12497). `error` is the length of the rest.
 */
export function encodeHalves(vector: Float32Array, bytes: Uint8Array): Coded {
  const step = (lengthOf(vector) / Math.sqrt(vector.length)) * STEP
  let product = 0
  let squares = 0
  let codeSquares = 0
  for (let axis = 0; axis < vector.length; axis += 1) {
    const value = vector[axis] ?? 0
    const code = step === 0 ? 0 : Math.min(HALF_MAX, Math.max(0, Math.floor(value / step) + 8))
    const at = (axis >> 5) * 16 + (axis & 15)
    const isUpper = (axis & 16) !== 0
    bytes[at] = isUpper ? (bytes[at] ?? 0) | (code << 4) : ((bytes[at] ?? 0) & 0xf0) | code
    product += value * (code - HALF_MIDDLE)
    squares += value * value
    codeSquares += (code - HALF_MIDDLE) ** 2
  }
  const scale = product > 0 ? squares / product : 0
  const rest = squares - 2 * scale * product + scale * scale * codeSquares
  return { scale, error: Math.sqrt(Math.max(0, rest)) }
}

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
