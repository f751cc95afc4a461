import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cosineOf } from '../ranking/cosine.ts'
import { Workspace } from './scan/workspace.ts'
import { VectorTable } from './vector-table.ts'

const vectorOf = (dimension: number) =>
  fc.float32Array({ minLength: dimension, maxLength: dimension, noNaN: true, min: -1, max: 1 })
const vectors = fc
  .integer({ min: 1, max: 37 })
  .chain((dimension) => fc.array(vectorOf(dimension), { minLength: 1, maxLength: 80 }))

function scanned(table: VectorTable, query: Float32Array, rows?: Uint32Array) {
  const cosines = new Float64Array(table.end).fill(Number.NaN)
  return { error: table.scan(query, rows, cosines), cosines }
}

test('a scan is as exact as it says, whatever the dimension and however far the table grew', () => {
  fc.assert(
    fc.property(vectors, (added) => {
      const table = new VectorTable(new Workspace())
      const rows = added.map((vector) => table.add(vector, undefined))
      const [query = new Float32Array(0)] = added
      const { error, cosines } = scanned(table, query)
      for (const [place, vector] of added.entries()) {
        const cosine = cosines[rows[place] ?? -1] ?? Number.NaN
        expect(Math.abs(cosine - cosineOf(vector, query))).toBeLessThanOrEqual(error)
      }
    }),
  )
})

test('the error of vectors of unit length is small', () => {
  const table = new VectorTable(new Workspace())
  const vector = Float32Array.from({ length: 384 }, (_, axis) => Math.sin(axis * axis))
  const unit = vector.map((value) => value / Math.hypot(...vector))
  table.add(unit, undefined)
  expect(scanned(table, unit).error).toBeLessThan(0.01)
})

test('a scan of some rows writes those alone, with the same numbers as a scan of all', () => {
  fc.assert(
    fc.property(vectors, fc.infiniteStream(fc.boolean()), (added, isWanted) => {
      const table = new VectorTable(new Workspace())
      const rows = added.map((vector) => table.add(vector, undefined))
      const wanted = rows.filter(() => isWanted.next().value)
      const [query = new Float32Array(0)] = added
      const all = scanned(table, query).cosines
      const some = scanned(table, query, Uint32Array.from(wanted)).cosines
      expect([...some]).toEqual(
        [...all].map((cosine, row) => (wanted.includes(row) ? cosine : NaN)),
      )
    }),
  )
})

test('the row of a removed vector is used again, and the others keep theirs', () => {
  const table = new VectorTable(new Workspace())
  const first = table.add(Float32Array.of(1, 0), undefined)
  const second = table.add(Float32Array.of(0, 1), undefined)
  table.remove(first)
  expect(table.add(Float32Array.of(0.5, 0), undefined)).toBe(first)
  const { cosines } = scanned(table, Float32Array.of(1, 1))
  expect(cosines[second]).toBeCloseTo(1, 2)
  expect(cosines[first]).toBeCloseTo(0.5, 2)
})

test('a vector comes with how common its text is, where that is known', () => {
  const table = new VectorTable(new Workspace())
  const [known, unknown] = [
    table.add(Float32Array.of(1, 0), 0.5),
    table.add(Float32Array.of(1, 0), undefined),
  ]
  expect(table.commonness[known]).toBe(0.5)
  expect(table.commonness[unknown]).toBeNaN()
})

test('what a table released is taken by the next one, and nothing of it shows there', () => {
  const workspace = new Workspace()
  const filled = (): VectorTable => {
    const table = new VectorTable(workspace)
    for (let row = 0; row < 1_000; row += 1) table.add(Float32Array.of(1, row, -1), undefined)
    return table
  }
  const first = filled()
  const { bytes } = workspace.codesOf(3)
  for (let round = 0; round < 20; round += 1) {
    first.release()
    filled().release()
  }
  expect(workspace.codesOf(3).bytes).toBe(bytes)
  const table = new VectorTable(workspace)
  const row = table.add(Float32Array.of(0, 0, 1), undefined)
  expect(scanned(table, Float32Array.of(1, 1, 1)).cosines[row]).toBeCloseTo(1, 2)
})

test('tables that grow while others are searched keep their numbers apart', () => {
  const workspace = new Workspace()
  const tables = Array.from({ length: 5 }, () => new VectorTable(workspace))
  for (let row = 0; row < 500; row += 1) {
    for (const [place, table] of tables.entries()) {
      table.add(Float32Array.of(place + 1, row / 500), undefined)
      const { cosines, error } = scanned(table, Float32Array.of(1, 0))
      expect(cosines).toHaveLength(row + 1)
      expect(cosines.every((cosine) => Math.abs(cosine - place - 1) <= error)).toBe(true)
    }
  }
})
