// What the compiled loop computes, in TypeScript: for the test that holds the two together, and for
// readers. Floats are rounded after each step, as the processor rounds them.
import { type Multiply, NUMBERS_A_STEP } from './products.ts'

const { fround } = Math

export const plainMultiplyOn =
  (buffer: ArrayBuffer): Multiply =>
  (rows, count, width, vector, products) => {
    const factors = new Float32Array(buffer, vector, width)
    const all = new Float32Array(buffer, products, count)
    for (let row = 0; row < count; row += 1) {
      const codes = new Int8Array(buffer, rows + row * width, width)
      const sums = new Float32Array(NUMBERS_A_STEP)
      for (const [axis, factor] of factors.entries()) {
        const lane = axis % NUMBERS_A_STEP
        sums[lane] = (sums[lane] ?? 0) + fround(factor * (codes[axis] ?? 0))
      }
      const at = (lane: number): number => sums[lane] ?? 0
      const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((lane) =>
        fround(fround(at(lane) + at(lane + 4)) + fround(at(lane + 8) + at(lane + 12))),
      )
      all[row] = fround(a + b) + fround(c + d)
    }
  }
