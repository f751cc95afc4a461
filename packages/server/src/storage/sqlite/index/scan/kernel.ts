// The compiled inner loops of a search, on a memory that the caller owns. plain-kernel.ts says in
// TypeScript what each computes; a test holds the two together bit for bit, and another one compares
// kernel.wasm with its source.
// decisions/2026-11-21-search-at-scale.md
import { readFileSync } from 'node:fs'

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

/** What a query asks of signs: see kernel.wat. */
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
    chunk: number,
    room: number,
    count: number,
    first: number,
    width: number,
    query: number,
    points: number,
    differing: number,
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
    chunks: number,
    count: number,
    width: number,
    query: number,
    points: number,
    scale: number,
    ofCosine: number,
    ofCommonness: number,
    base: number,
    unknown: number,
    unit: number,
    least: number,
    near: number,
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
