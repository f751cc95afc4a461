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
