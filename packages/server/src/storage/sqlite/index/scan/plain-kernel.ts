// What the compiled kernel computes, in TypeScript: for the test that holds the two together, and
// for readers.
import {
  BYTES_CHUNK_ROWS,
  BYTES_HEAD_BYTES,
  HEAD_BYTES,
  type Kernel,
  LEFT_OUT,
  type Multiply,
  SIGN_BYTES_A_STEP,
} from './kernel.ts'

export function plainKernelOn(memory: WebAssembly.Memory): Kernel {
  const bytes = (place: number, count: number) => new Uint8Array(memory.buffer, place, count)
  const numbers = (place: number, count: number) => new Int16Array(memory.buffer, place, count)
  const words = (place: number, count: number) => new Int32Array(memory.buffer, place, count)

  const productOf = (codes: ArrayLike<number>, query: number): number =>
    numbers(query, codes.length).reduce((sum, factor, axis) => sum + factor * (codes[axis] ?? 0), 0)

  const multiply =
    (codesOf: (row: number, width: number) => ArrayLike<number>): Multiply =>
    (rows, count, width, query, products) => {
      const sums = words(products, count)
      for (const [place, row] of words(rows, count).entries()) {
        sums[place] = productOf(codesOf(row, width), query)
      }
    }

  const bytesOf = (row: number, width: number) => new Int8Array(memory.buffer, row, width)

  /** Of 16 bytes, the lower halves come first. */
  const halvesOf = (row: number, width: number): number[] =>
    Array.from({ length: width / 16 }, (_, step) => [...bytes(row + step * 16, 16)]).flatMap(
      (some) => [...some.map((byte) => byte & 15), ...some.map((byte) => byte >> 4)],
    )

  const onesOf = (one: Uint8Array, other: Uint8Array, marks?: Uint8Array): number => {
    let count = 0
    for (const [place, byte] of one.entries()) {
      let differing = (byte ^ (other[place] ?? 0)) & (marks?.[place] ?? 255)
      for (; differing !== 0; differing &= differing - 1) count += 1
    }
    return count
  }

  /** Whether the bit of each of 8 times `count` owners is set. */
  const isSet = (bits: number, count: number): boolean[] =>
    [...bytes(bits, count)].flatMap((byte) =>
      Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) === 1),
    )

  return {
    clear: (at, count) => {
      bytes(at, count).fill(0)
    },

    multiplyBytes: multiply(bytesOf),

    reach(chunks, count, width, query, points, ...weights) {
      const [scale, ofCosine, ofCommonness, base, unknown, unit, least, near, cosines, found] =
        weights
      let next = found
      let written = cosines
      for (const chunk of words(chunks, count)) {
        const scales = new Float32Array(memory.buffer, chunk, BYTES_CHUNK_ROWS)
        const commonness = new Float32Array(memory.buffer, chunk + 64, BYTES_CHUNK_ROWS)
        const owners = words(chunk + 128, BYTES_CHUNK_ROWS)
        const codes = chunk + BYTES_CHUNK_ROWS * BYTES_HEAD_BYTES
        for (let row = 0; row < BYTES_CHUNK_ROWS; row += 1) {
          const product = productOf(bytesOf(codes + row * width, width), query) | 0
          const cosine = product * (scales[row] ?? 0) * scale
          new Float64Array(memory.buffer, written, 1)[0] = cosine
          written += 8
          const common = commonness[row] ?? Number.NaN
          const rest = Number.isNaN(common) ? unknown : base + ofCommonness * common
          const [own = 0] = numbers(points + (owners[row] ?? 0) * 2, 1)
          const strength = rest + ofCosine * cosine + unit * own
          if (!(cosine >= near || strength >= least)) continue
          words(next, 1)[0] = owners[row] ?? 0
          next += 4
        }
      }
      return next
    },

    multiplyHalves: multiply(halvesOf),

    countDiffering(signs, count, width, query, differing) {
      const sums = new Uint16Array(memory.buffer, differing, count)
      const asked = bytes(query, SIGN_BYTES_A_STEP)
      for (let row = 0; row < count; row += 1) {
        const own = bytes(signs + row * width, SIGN_BYTES_A_STEP)
        sums[row] = (sums[row] ?? 0) + onesOf(own, asked)
      }
    },

    estimate(...given) {
      const [chunk, room, count, first, width, query, points, counted, ...weights] = given
      const [whole, each, more, wholeCoarse, coarse, straight, typical, near, least, found] =
        weights
      const factors = numbers(chunk, room)
      const constants = numbers(chunk + 2 * room, room)
      const commonness = numbers(chunk + 4 * room, room)
      const asked = bytes(query, width)
      const marks = bytes(query + width, width)
      let next = found
      for (let row = 0; row < count; row += 1) {
        const signs = bytes(chunk + HEAD_BYTES * room + row * width, width)
        const differing = new Uint16Array(memory.buffer, counted, count)[row] ?? 0
        const valueAt = (product: number): number =>
          (numbers(points, count)[row] ?? 0) +
          ((product * (factors[row] ?? 0) +
            straight * (constants[row] ?? 0) -
            typical * (commonness[row] ?? 0)) >>
            12)
        if (valueAt(wholeCoarse - coarse * differing) < near) continue
        const value = valueAt(whole - each * differing - more * onesOf(signs, asked, marks))
        if (value < least) continue
        words(next, 2).set([first + row, value])
        next += 8
      }
      return next
    },

    addPoints(bits, count, weight, points) {
      const all = numbers(points, count * 8)
      for (const [owner, isOne] of isSet(bits, count).entries()) {
        if (!isOne) continue
        all[owner] = Math.min(32_767, Math.max(LEFT_OUT, (all[owner] ?? 0) + weight))
      }
    },

    leaveOut(bits, count, points) {
      const all = numbers(points, count * 8)
      for (const [owner, isOne] of isSet(bits, count).entries()) if (!isOne) all[owner] = LEFT_OUT
    },

    spreadPoints(owners, count, first, points) {
      for (const [place, owner] of words(owners, count).entries()) {
        numbers(points + 2 * (first + place), 1)[0] = numbers(points + 2 * owner, 1)[0] ?? 0
      }
    },
  }
}
