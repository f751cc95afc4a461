// The compiled inner loops of a search, on a memory that the caller owns. plain-kernel.ts says in
// TypeScript what each computes; a test holds the two together bit for bit, and another one compares
// kernel.wasm with its source.
// decisions/2026-11-21-search-at-scale.md
import { readFileSync } from 'node:fs'

// Rows lie in chunks, by columns: a number of each row of the chunk, then the next number of each row, and behind
// these the codes of one row after the other. Where columns begin, in bytes:
//
//     0          2,048      4,096        6,144      10,240
//     | factor   | constant | commonness | owner    | signs            1,024 rows of a large space
//     | int16    | int16    | int16      | uint32   | a bit an axis
//
//     0          64           128        192
//     | scale    | commonness | owner    | codes                       16 rows of a small space
//     | float32  | float32    | uint32   | int8 an axis
//
//     0
//     | half bytes: half a byte an axis                                1,024 rows of a large space
//
// A chunk of signs and of half bytes has the same rows; scales and constants of half bytes are in half-codes.ts.
// The owner of a row is the first row of its memory. The points of a row lie outside of chunks, an int16 a row.
//
// Units of `estimate`, all whole numbers. C and K: what a cosine and a commonness of 1 are worth, in points.
//
//   points, value, least, near   points (word-points.ts); near is least less the slack
//   factor                       times 512: of the row, squares / sum of sizes * root of the axes; 8 at most
//   constant                     times 8,192: product of the row's rest with the centroid
//   commonness                   times 16,384
//   differing, marked            counts of axes whose sign is not the query's: all, and those with a greater size
//   whole, each, more            C * 8 / root of the axes * lift, times: the query's sizes summed up; twice the
//                                lesser size; twice what the greater has more. Times a factor: points * 4,096
//   wholeCoarse, coarse          the same with one size for all axes, for the first estimate
//   straight, typical            C * 4,096 / 8,192 and K * 4,096 / 16,384, for constant and commonness
//
// The sum of these products is in points * 4,096, which is why it is shifted by 12 bits.

/** Rows of bytes are filled up with zeros to a multiple of this many. */
export const BYTES_A_STEP = 16
/** Rows of signs are filled up to a multiple of this many bytes. */
export const SIGN_BYTES_A_STEP = 48
/** What a row of a chunk has in front of the signs: factor, constant, commonness, owner. */
export const HEAD_BYTES = 10
/** Rows of a chunk of bytes, and what each has in front of them: scale, commonness, owner. */
export const BYTES_CHUNK_ROWS = 16
export const BYTES_HEAD_BYTES = 12
/** Points of a row that is left out. */
export const LEFT_OUT = -32_768

/** All are places in the memory, in bytes, but for counts and widths. */
export type Multiply = (
  rows: number,
  count: number,
  width: number,
  query: number,
  products: number,
) => void

/** What a query asks of signs, in the units above. */
export type EstimateWeights = {
  whole: number
  each: number
  more: number
  wholeCoarse: number
  coarse: number
  straight: number
  typical: number
}

type Estimate = (
  ...numbers: [
    // Places and counts; `room` is the rows that a chunk has room for.
    chunk: number,
    room: number,
    count: number,
    first: number,
    width: number,
    query: number,
    points: number,
    differing: number,
    // The weights of the query, what a row has to reach, and where those that do are written.
    whole: number,
    each: number,
    more: number,
    wholeCoarse: number,
    coarse: number,
    straight: number,
    typical: number,
    near: number,
    least: number,
    found: number,
  ]
) => number

/** The strength of a row as a sum, see kernel.wat; and how strong, or how near, it has to be. */
type Reach = (
  ...numbers: [
    // Places and counts.
    chunks: number,
    count: number,
    width: number,
    query: number,
    points: number,
    // 64-bit numbers: the query's scale, strengths (`near` is a cosine), and in `unit` the strength of a point.
    scale: number,
    ofCosine: number,
    ofCommonness: number,
    base: number,
    unknown: number,
    unit: number,
    least: number,
    near: number,
    // Where what is found goes.
    cosines: number,
    found: number,
  ]
) => number

export type Kernel = {
  clear: (at: number, count: number) => void
  multiplyBytes: Multiply
  reach: Reach
  multiplyHalves: Multiply
  countDiffering: (
    signs: number,
    count: number,
    width: number,
    query: number,
    differing: number,
  ) => void
  estimate: Estimate
  addPoints: (bits: number, count: number, weight: number, points: number) => void
  leaveOut: (bits: number, count: number, points: number) => void
  spreadPoints: (owners: number, count: number, first: number, points: number) => void
}

// Read when this file is loaded: a package without it must not start.
const compiled = new WebAssembly.Module(readFileSync(new URL('kernel.wasm', import.meta.url)))

export function kernelOn(memory: WebAssembly.Memory): Kernel {
  const { exports } = new WebAssembly.Instance(compiled, { codes: { memory } })
  // The test of the kernel holds the compiled functions to this type.
  return exports as Kernel
}
