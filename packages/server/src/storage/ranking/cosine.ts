/** Of vectors of unit length. Four sums at a time, which the processor adds side by side. */
export function cosineOf(one: Float32Array, other: Float32Array): number {
  const quads = other.length - (other.length % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < quads; i += 4) {
    a += (one[i] ?? 0) * (other[i] ?? 0)
    b += (one[i + 1] ?? 0) * (other[i + 1] ?? 0)
    c += (one[i + 2] ?? 0) * (other[i + 2] ?? 0)
    d += (one[i + 3] ?? 0) * (other[i + 3] ?? 0)
  }
  let rest = 0
  for (let i = quads; i < other.length; i += 1) rest += (one[i] ?? 0) * (other[i] ?? 0)
  return a + b + c + d + rest
}

/**
 * The same of one vector with two others, to the last digit, in a third to a half of the time: each number is
 * read and made one of 64 bits once.
 */
export function cosinesWithTwo(
  vector: Float64Array,
  one: Float64Array,
  other: Float64Array,
): [withOne: number, withOther: number] {
  const quads = vector.length - (vector.length % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  for (let i = 0; i < quads; i += 4) {
    const first = vector[i] ?? 0
    const second = vector[i + 1] ?? 0
    const third = vector[i + 2] ?? 0
    const fourth = vector[i + 3] ?? 0
    a += first * (one[i] ?? 0)
    b += second * (one[i + 1] ?? 0)
    c += third * (one[i + 2] ?? 0)
    d += fourth * (one[i + 3] ?? 0)
    e += first * (other[i] ?? 0)
    f += second * (other[i + 1] ?? 0)
    g += third * (other[i + 2] ?? 0)
    h += fourth * (other[i + 3] ?? 0)
  }
  let restOfOne = 0
  let restOfOther = 0
  for (let i = quads; i < vector.length; i += 1) {
    restOfOne += (vector[i] ?? 0) * (one[i] ?? 0)
    restOfOther += (vector[i] ?? 0) * (other[i] ?? 0)
  }
  return [a + b + c + d + restOfOne, e + f + g + h + restOfOther]
}
