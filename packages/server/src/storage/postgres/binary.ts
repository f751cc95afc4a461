// Numbers as PostgreSQL sends them, big-endian: whole columns of an answer travel as one value each,
// which is read here many times faster than row by row.

const VECTOR_HEADER_BYTES = 4

export const readInts8 = (bytes: Buffer | null): number[] =>
  readAll(bytes, 8, (buffer, at) => buffer.readInt32BE(at) * 2 ** 32 + buffer.readUInt32BE(at + 4))

export function readDoubles(bytes: Buffer | null): Float64Array {
  return Float64Array.from(readAll(bytes, 8, (buffer, at) => buffer.readDoubleBE(at)))
}

/** What `vector_send` made: the dimension, a reserved number, then 32-bit numbers. */
export function readVector(bytes: Buffer): Float32Array {
  return Float32Array.from(
    readAll(bytes.subarray(VECTOR_HEADER_BYTES), 4, (buffer, at) => buffer.readFloatBE(at)),
  )
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

function readAll(
  bytes: Buffer | null,
  size: number,
  read: (buffer: Buffer, at: number) => number,
): number[] {
  if (bytes === null) return []
  return Array.from({ length: bytes.length / size }, (_, place) => read(bytes, place * size))
}
