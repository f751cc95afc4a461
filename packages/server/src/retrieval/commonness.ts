// Some texts lie near to everything: their vectors are hubs, and they would be found for questions
// they have nothing to do with. How near a text lies to words in general is measured against a fixed
// reference, the vectors of two thousand common words made by the same model, and the score takes a
// part of it off. So a cosine means more nearly the same for every text, and nothing depends on
// anybody's other memories. The correction is that of cross-domain similarity local scaling (Conneau
// et al. 2018, "Word translation without parallel data"), with the reference for the neighbours.

/** Rows of unit length, one behind the other. */
export type Reference = { vectors: Float32Array; dimension: number }

const NEIGHBOURS = 10

/** The mean of the ten highest cosines with the reference. */
export function commonnessOf(vector: Float32Array, { vectors, dimension }: Reference): number {
  // Ascending: the first is the one to beat.
  const nearest = new Float64Array(NEIGHBOURS).fill(-1)
  for (let start = 0; start < vectors.length; start += dimension) {
    const cosine = dotAt(vectors, start, vector)
    if (cosine > (nearest[0] ?? 0)) insert(nearest, cosine)
  }
  return nearest.reduce((sum, cosine) => sum + cosine, 0) / NEIGHBOURS
}

function insert(ascending: Float64Array, value: number): void {
  let place = 0
  while (place + 1 < ascending.length && value > (ascending[place + 1] ?? 0)) {
    ascending[place] = ascending[place + 1] ?? 0
    place += 1
  }
  ascending[place] = value
}

/** Four sums at a time, which the processor adds side by side. */
function dotAt(block: Float32Array, start: number, vector: Float32Array): number {
  const quads = vector.length - (vector.length % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0, j = start; i < quads; i += 4, j += 4) {
    a += (block[j] ?? 0) * (vector[i] ?? 0)
    b += (block[j + 1] ?? 0) * (vector[i + 1] ?? 0)
    c += (block[j + 2] ?? 0) * (vector[i + 2] ?? 0)
    d += (block[j + 3] ?? 0) * (vector[i + 3] ?? 0)
  }
  for (let i = quads; i < vector.length; i += 1) a += (block[start + i] ?? 0) * (vector[i] ?? 0)
  return a + b + c + d
}
