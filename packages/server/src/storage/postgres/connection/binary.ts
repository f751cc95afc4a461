// Numbers as PostgreSQL sends them, big-endian: whole columns of an answer travel as one value each,
// which is read here many times faster than row by row. A search may bring a hundred thousand rows, and
// nobody else is answered meanwhile: so these are plain loops over a DataView, which is compiled to little
// more than the swap of the bytes.

const VECTOR_HEADER_BYTES = 4

const NOTHING = Buffer.alloc(0)

export function readInts8(bytes: Buffer | null): number[] {
  const view = viewOf(bytes)
  const numbers: number[] = []
  for (let at = 0; at < view.byteLength; at += 8) {
    numbers.push(view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4))
  }
  return numbers
}

export function readDoubles(bytes: Buffer | null): Float64Array {
  const view = viewOf(bytes)
  const numbers = new Float64Array(view.byteLength / 8)
  for (let place = 0; place < numbers.length; place += 1) {
    numbers[place] = view.getFloat64(place * 8)
  }
  return numbers
}

/** What `vector_send` made: the dimension, a reserved number, then 32-bit numbers. */
export function readVector(bytes: Buffer): Float32Array {
  const view = viewOf(bytes)
  const vector = new Float32Array((view.byteLength - VECTOR_HEADER_BYTES) / 4)
  for (let axis = 0; axis < vector.length; axis += 1) {
    vector[axis] = view.getFloat32(VECTOR_HEADER_BYTES + axis * 4)
  }
  return vector
}

/** As a parameter of type `vector`: the client sends bytes as they are. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(VECTOR_HEADER_BYTES + vector.length * 4)
  bytes.writeInt16BE(vector.length, 0)
  for (const [place, number] of vector.entries()) {
    bytes.writeFloatBE(number, VECTOR_HEADER_BYTES + place * 4)
  }
  return bytes
}

const viewOf = (bytes: Buffer | null): DataView => {
  const { buffer, byteOffset, byteLength } = bytes ?? NOTHING
  return new DataView(buffer, byteOffset, byteLength)
}
