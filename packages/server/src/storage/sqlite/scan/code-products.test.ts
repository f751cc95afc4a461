import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODES_A_STEP, kernelOn, plainKernelOn } from './code-products.ts'

const PAGE_BYTES = 65_536
const QUERY = 0
const ADDRESSES = 16_384
const PRODUCTS = 32_768
const CODES = 49_152

const anyCodes = fc.integer({ min: 1, max: 40 }).chain((steps) =>
  fc.record({
    width: fc.constant(steps * CODES_A_STEP),
    query: fc.int16Array({ minLength: steps * CODES_A_STEP, maxLength: steps * CODES_A_STEP }),
    codes: fc.int8Array({ minLength: 1, maxLength: 3_000 }),
    // A row may begin anywhere, and rows may overlap.
    rows: fc.array(fc.nat(8_000), { maxLength: 20 }),
  }),
)

test('the compiled kernel gives the numbers of its plain twin, bit for bit', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 })
  expect(memory.buffer.byteLength).toBe(PAGE_BYTES)
  const kernels = [kernelOn(memory), plainKernelOn(memory)]
  fc.assert(
    fc.property(anyCodes, ({ width, query, codes, rows }) => {
      new Int16Array(memory.buffer, QUERY, width).set(query)
      const all = new Int8Array(memory.buffer, CODES)
      for (let start = 0; start < all.length; start += codes.length) {
        all.set(codes.subarray(0, all.length - start), start)
      }
      const addresses = rows.map((row) => CODES + row)
      new Uint32Array(memory.buffer, ADDRESSES).set(addresses)
      const products = kernels.map((multiply) => {
        const sums = new Int32Array(memory.buffer, PRODUCTS, rows.length + 1).fill(-7)
        multiply(ADDRESSES, rows.length, width, QUERY, PRODUCTS)
        return [...sums]
      })
      expect(products[0]).toEqual(products[1])
      expect(products[0]?.at(-1), 'nothing is written behind them').toBe(-7)
    }),
  )
})
