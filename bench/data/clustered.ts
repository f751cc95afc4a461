// Any number of vectors from a few thousand real ones, since the model takes an hour for a million: each is a
// real vector mixed with a second one and a little noise, scaled to unit length. They are clustered and have
// the model's spectrum, unlike random vectors.
import { generator, normal } from './random.ts'

/** The standard deviation on each axis; with 384 axes, the noise has a length of about 0.1. */
const NOISE = 0.005
const NOISE_NUMBERS = 1 << 18

/**
 * Made once, and read from another place for each vector: a million times 384 logarithms would take a minute.
 */
const noise = ((): Float32Array => {
  const random = generator(1)
  return Float32Array.from({ length: NOISE_NUMBERS }, () => NOISE * normal(random))
})()

/** `share` of the second vector and the rest of the first; the same for the same arguments. */
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
