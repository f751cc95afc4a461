// No row is missed that is strong enough by its exact vector, and cosines lie within the error that is told.
// The codes lie in memory that another space has used before.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberBetween } from '../../../../testing/arbitrary-number.ts'
import { unit } from '../../../conformance/records.ts'
import { cosineOf } from '../../../ranking/cosine.ts'
import { CodeMemory, FOUND_ROWS_MAX } from '../scan/code-memory.ts'
import { ByteCodes } from './byte-codes.ts'

const DIMENSION = 24
const vectorOf = (most: number) =>
  fc
    .array(fc.integer({ min: -most, max: most }), { minLength: DIMENSION, maxLength: DIMENSION })
    .map(([, ...rest]) => unit([most, ...rest]))
const vector = vectorOf(10)
/** Nothing of these is lost in bytes, so that the error is what the query loses. */
const keptWhole = vectorOf(1)
const rowOf = (ofVectors: typeof vector) =>
  fc.record({
    vector: ofVectors,
    commonness: fc.option(numberBetween(0, 1), { nil: undefined }),
    points: fc.integer({ min: -100, max: 4_000 }),
  })
const rows = fc
  .constantFrom(rowOf(vector), rowOf(keptWhole))
  .chain((row) => fc.array(row, { minLength: 1, maxLength: 50 }))
const SIMILARITY = { base: 0.3, unknown: 0.1, ofCosine: 1.5, ofCommonness: -0.4 }
const UNIT = 1 / 4_096

type Row = typeof rows extends fc.Arbitrary<(infer One)[]> ? One : never

const strengthOf = (each: Row, query: Float32Array): number =>
  (each.commonness === undefined
    ? SIMILARITY.unknown
    : SIMILARITY.base + SIMILARITY.ofCommonness * each.commonness) +
  SIMILARITY.ofCosine * cosineOf(each.vector, query) +
  UNIT * each.points

/** Each row its own owner. The memory was another space's before. */
function codesOf(given: readonly Row[]) {
  const memory = new CodeMemory()
  const longer = unit(Array.from({ length: DIMENSION * 2 }, () => 1))
  const before = new ByteCodes(memory, longer.length)
  for (let at = 0; at < 64; at += 1) before.write(at, 0x1000_0000, longer, 0)
  before.scan(longer, Uint32Array.of(0), new Float64Array(64))
  before.release()
  const codes = new ByteCodes(memory, DIMENSION)
  for (const [at, each] of given.entries()) codes.write(at, at, each.vector, each.commonness)
  const points = { address: memory.zeroPoints(64), unit: UNIT }
  const own = new Int16Array(memory.buffer, points.address, given.length)
  for (const [at, each] of given.entries()) own[at] = each.points
  return { codes, points }
}

test('every row that is as strong as is asked for is found, of the others only those just below, and all cosines lie within their error', () => {
  fc.assert(
    fc.property(rows, vector, numberBetween(-1, 1), fc.nat(49), (given, query, constant, least) => {
      const { codes, points } = codesOf(given)
      const strengths = given.map((each) => strengthOf(each, query) + constant)
      const strengthMin = strengths[least % strengths.length] ?? 0
      const asked = { vector: query, points, similarity: SIMILARITY, constant, strengthMin }
      const { owners, compared } = codes.reaching({ ...asked, cosineMin: 2 })
      const found = new Set(owners.flatMap((some) => [...some]))
      for (const [at, strength] of strengths.entries()) {
        if (strength >= strengthMin) expect(found).toContain(at)
        else if (strength < strengthMin - 0.05) expect(found).not.toContain(at)
        const cosine = cosineOf(given[at]?.vector ?? query, query)
        expect(Math.abs((compared.cosines[at] ?? 2) - cosine)).toBeLessThanOrEqual(compared.error)
      }
    }),
    { numRuns: 300 },
  )
})

test('a row with the vector that is asked for is found, however weak', () => {
  fc.assert(
    fc.property(rows, fc.nat(49), (given, place) => {
      const { codes, points } = codesOf(given)
      const same = place % given.length
      const query = given[same]?.vector ?? unit([1])
      const asked = { vector: query, points, similarity: SIMILARITY, constant: 0 }
      const { owners } = codes.reaching({ ...asked, strengthMin: 100, cosineMin: 0.9999 })
      expect(owners.flatMap((some) => [...some])).toContain(same)
    }),
  )
})

test('rows beyond what the kernel looks at in one call are found, with their cosines', () => {
  const count = FOUND_ROWS_MAX + 20
  const memory = new CodeMemory()
  const codes = new ByteCodes(memory, DIMENSION)
  for (let at = 0; at < count; at += 1) codes.write(at, at, unit([1, at % 100]), undefined)
  const points = { address: memory.zeroPoints(count), unit: UNIT }
  const asked = { vector: unit([1]), points, similarity: SIMILARITY, constant: 0, cosineMin: 2 }
  const { owners, compared } = codes.reaching({ ...asked, strengthMin: 1.59 })
  const nearest = Array.from({ length: Math.ceil(count / 100) }, (_, place) => place * 100)
  expect(owners.flatMap((some) => [...some])).toEqual(nearest)
  for (let at = 0; at < count; at += 1) {
    const distance = Math.abs((compared.cosines[at] ?? 2) - 1 / Math.hypot(1, at % 100))
    if (distance > compared.error) expect.unreachable(`${at}: ${distance}`)
  }
})
