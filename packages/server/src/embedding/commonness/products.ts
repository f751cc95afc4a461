// The compiled inner loop of commonness.ts, with a memory of its own. plain-products.ts says in
// TypeScript what it computes; a test holds the two together bit for bit.
import { readFileSync } from 'node:fs'

/** Rows are filled up with zeros to a multiple of this many numbers. */
export const NUMBERS_A_STEP = 16

/** All are places in the memory, in bytes, but for count and width. See products.wat. */
export type Multiply = (
  rows: number,
  count: number,
  width: number,
  vector: number,
  products: number,
) => void

export type Products = {
  memory: { readonly buffer: ArrayBuffer; grow: (pages: number) => number }
  multiply: Multiply
}

const PAGE_BYTES = 65_536

// Read when this file is loaded: a package without it must not start.
const compiled = new WebAssembly.Module(readFileSync(new URL('products.wasm', import.meta.url)))

/** With room for so many bytes. */
export function newProducts(bytes: number): Products {
  const { exports } = new WebAssembly.Instance(compiled, {})
  // The test holds what is compiled to these types.
  const memory = exports['memory'] as Products['memory']
  const multiply = exports['multiply'] as Multiply
  const missing = Math.ceil(bytes / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES
  if (missing > 0) memory.grow(missing)
  return { memory, multiply }
}
