// The products of a query with rows of codes, by the compiled kernel. `multiplyPlainly` says in
// TypeScript what the kernel computes; a test holds the two together bit for bit, and another one
// compares code-products.wasm with its source.
// decisions/2026-11-21-exact-scan.md
import { readFileSync } from 'node:fs'

/** Rows are filled up with zeros to a multiple of this many codes. */
export const CODES_A_STEP = 16

/** All are places in the memory, in bytes, except `count`; `width` is a multiple of CODES_A_STEP. */
export type Multiply = (
  rows: number,
  count: number,
  width: number,
  query: number,
  products: number,
) => void

// Read when this file is loaded: a package without it must not start.
const compiled = new WebAssembly.Module(
  readFileSync(new URL('code-products.wasm', import.meta.url)),
)

export function kernelOn(memory: WebAssembly.Memory): Multiply {
  const { exports } = new WebAssembly.Instance(compiled, { codes: { memory } })
  // The test of the kernel holds the compiled function to this type.
  return exports['multiply'] as Multiply
}

export const plainKernelOn =
  (memory: WebAssembly.Memory): Multiply =>
  (rows, count, width, query, products) => {
    const addresses = new Uint32Array(memory.buffer, rows, count)
    const factors = new Int16Array(memory.buffer, query, width)
    const sums = new Int32Array(memory.buffer, products, count)
    for (let row = 0; row < count; row += 1) {
      const codes = new Int8Array(memory.buffer, addresses[row], width)
      let sum = 0
      for (let axis = 0; axis < width; axis += 1) sum += (codes[axis] ?? 0) * (factors[axis] ?? 0)
      sums[row] = sum
    }
  }
