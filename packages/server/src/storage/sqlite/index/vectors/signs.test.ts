// An estimate from signs is right on average, however near a row is to the query: rows at a border are
// estimated above it as often as below. The scan reports no estimates, so the cases count the rows that reach
// a border.
import { expect, test } from 'vitest'
import { randomNumbers } from '../../../../testing/random-numbers.ts'
import { unit } from '../../../conformance/records.ts'
import { across } from '../../testing/large-space.ts'
import { Workspace } from '../tables/workspace.ts'
import { Centroid } from './centroid.ts'
import { Signs } from './signs.ts'

const DIMENSION = 384
const ROWS = 1_000
/** How far below what is asked for an estimate is let pass: see signs.ts. */
const MARGIN = 2 / Math.sqrt(DIMENSION)

/** The share of rows with that cosine of which the estimate is not below it. */
function shareNotBelow(cosine: number): number {
  const random = randomNumbers(3)
  const direction = () => unit(Array.from({ length: DIMENSION }, () => random() + random() - 1))
  const vector = direction()
  const workspace = new Workspace()
  const centroid = new Centroid(direction().map((value) => value / 10))
  const signs = new Signs(workspace, centroid)
  for (let row = 0; row < ROWS; row += 1) {
    const rest = across(direction(), vector)
    const sine = Math.sqrt(1 - cosine ** 2)
    const near = vector.map((value, axis) => cosine * value + sine * (rest[axis] ?? 0))
    signs.write(row, row, centroid.of(near), 0)
  }
  const points = { address: workspace.memory.zeroPoints(1_024), unit: 1 / 8_192 }
  const query = { vector, cosine: 1, commonness: 0, points, strengthMin: cosine + MARGIN }
  const wanted = { count: 2_000, firstAreTypical: false }
  const { batches } = signs.nearest({ ...query, constant: 0 }, wanted)
  return [...batches].reduce((sum, { owners }) => sum + owners.length, 0) / ROWS
}

test.each([0.1, 0.3, 0.5, 0.7, 0.9])(
  'not all rows with a cosine of %d are taken for less',
  (cosine) => {
    expect(shareNotBelow(cosine)).toBeGreaterThan(0.2)
  },
)

test('about half of the rows with a cosine as small as most have are taken for less', () => {
  expect(shareNotBelow(0.3)).toBeLessThan(0.6)
})

test('a row is known by its owner wherever its chunk lies in the memory', () => {
  const workspace = new Workspace()
  workspace.memory.take(2 ** 31)
  const vector = unit(Array.from({ length: DIMENSION }, (_, axis) => (axis % 3) - 1))
  const centroid = new Centroid(vector.map(() => 0))
  const signs = new Signs(workspace, centroid)
  for (const row of [0, 1, 2]) signs.write(row, 0, centroid.of(vector), 0)
  const points = { address: workspace.memory.zeroPoints(1_024), unit: 1 / 8_192 }
  const query = { vector, cosine: 1, commonness: 0, points, strengthMin: 0.5, constant: 0 }
  const { batches } = signs.nearest(query, { count: 2_000, firstAreTypical: false })
  expect([...batches].flatMap(({ owners }) => [...owners])).toEqual([0, 0, 0])
})
