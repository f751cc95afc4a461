import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VectorTable } from './vector-table.ts'

const vectors = (dimension: number) =>
  fc.array(
    fc.float32Array({ minLength: dimension, maxLength: dimension, noNaN: true, min: -1, max: 1 }),
    { minLength: 1, maxLength: 80 },
  )

const exactDot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0)

test('a product is that of the row and the vector, whatever the dimension and however far it grew', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }).chain(vectors), (added) => {
      const table = new VectorTable()
      const rows = added.map((vector) => table.add(vector))
      const [query = new Float32Array(0)] = added
      for (const [index, vector] of added.entries()) {
        expect(table.dot(rows[index] ?? -1, query)).toBeCloseTo(exactDot(vector, query), 9)
      }
    }),
  )
})

test('the row of a removed vector is used again, and the others keep theirs', () => {
  const table = new VectorTable()
  const [first, second] = [table.add(Float32Array.of(1, 0)), table.add(Float32Array.of(0, 1))]
  table.remove(first)
  expect(table.add(Float32Array.of(0.5, 0))).toBe(first)
  expect(table.dot(second, Float32Array.of(0, 1))).toBe(1)
  expect(table.dot(first, Float32Array.of(1, 0))).toBe(0.5)
})
