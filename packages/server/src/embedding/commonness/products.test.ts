import fc from 'fast-check'
import { expect, test } from 'vitest'
import { float32Between } from '../../testing/arbitrary-number.ts'
import { plainMultiplyOn } from './plain-products.ts'
import { NUMBERS_A_STEP, newProducts } from './products.ts'

const PAGE_BYTES = 65_536

test('the compiled loop gives the products of its plain twin, bit for bit, and writes nothing else', () => {
  const code = fc.integer({ min: -128, max: 127 })
  const number = float32Between(-2, 2)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.nat(20),
      fc.array(code, { minLength: 1, maxLength: 400 }),
      fc.array(number, { minLength: 1, maxLength: 80 }),
      (steps, count, codes, numbers) => {
        const width = steps * NUMBERS_A_STEP
        const [one, other] = [true, false].map((isCompiled) => {
          const { memory, multiply } = newProducts(PAGE_BYTES)
          const bytes = new Int8Array(memory.buffer)
          for (let at = 0; at < bytes.length; at += 1) bytes[at] = codes[at % codes.length] ?? 0
          const vector = new Float32Array(memory.buffer, 32_768, width)
          for (let at = 0; at < width; at += 1) vector[at] = numbers[at % numbers.length] ?? 0
          const run = isCompiled ? multiply : plainMultiplyOn(memory.buffer)
          run(16, count, width, 32_768, 40_960)
          return Buffer.from(memory.buffer)
        })
        expect(one?.equals(other ?? Buffer.alloc(0)), 'the same in the whole memory').toBe(true)
      },
    ),
  )
})

test('there is room for what is asked for', () => {
  expect(newProducts(1).memory.buffer.byteLength).toBe(PAGE_BYTES)
  expect(newProducts(PAGE_BYTES * 3 + 1).memory.buffer.byteLength).toBe(PAGE_BYTES * 4)
})
