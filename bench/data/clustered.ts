// Vectors without end round a few thousand real ones, since a model takes an hour for a million: each
// is a real one, mixed with a second and a little noise, of unit length again. A clustered set with the
// spectrum of the model, which vectors of dice alone do not have.
import { generator, normal } from './random.ts'

/** By axis. The length of the whole is about 0.1 with 384 axes. */
const NOISE = 0.005
const NOISE_NUMBERS = 1 << 18

/** Long, and cut anew for each vector: a million times 384 logarithms would take a minute. */
const noise = ((): Float32Array => {
  const random = generator(1)
  return Float32Array.from({ length: NOISE_NUMBERS }, () => NOISE * normal(random))
})()

/** `share` of the second, the rest of the first. The same for the same numbers. */
export function mixedVector(
  first: Float32Array,
  second: Float32Array,
  share: number,
  noiseFrom: number,
): Float32Array {
  const { length: dimension } = first
  const start = noiseFrom % (NOISE_NUMBERS - dimension)
  const vector = new Float32Array(dimension)
  let squares = 0
  for (let axis = 0; axis < dimension; axis += 1) {
    const value =
      (1 - share) * (first[axis] ?? 0) + share * (second[axis] ?? 0) + (noise[start + axis] ?? 0)
    vector[axis] = value
    squares += value * value
  }
  const scale = 1 / Math.sqrt(squares)
  for (let axis = 0; axis < dimension; axis += 1) vector[axis] = (vector[axis] ?? 0) * scale
  return vector
}
