import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberBetween } from '../../../testing/arbitrary-number.ts'
import { unit } from '../../conformance/records.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import { ByteCodes } from './byte-codes.ts'
import { CodeMemory } from './scan/code-memory.ts'

const DIMENSION = 24
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSION, maxLength: DIMENSION })
  .map(([, ...rest]) => unit([10, ...rest]))
const row = fc.record({
  vector,
  commonness: fc.option(numberBetween(0, 1), { nil: undefined }),
  points: fc.integer({ min: -100, max: 4_000 }),
})
const rows = fc.array(row, { minLength: 1, maxLength: 50 })
const SIMILARITY = { base: 0.3, unknown: 0.1, ofCosine: 1.5, ofCommonness: -0.4 }
const UNIT = 1 / 4_096

type Row = typeof row extends fc.Arbitrary<infer One> ? One : never

const strengthOf = (each: Row, query: Float32Array): number =>
  (each.commonness === undefined
    ? SIMILARITY.unknown
    : SIMILARITY.base + SIMILARITY.ofCommonness * each.commonness) +
  SIMILARITY.ofCosine * cosineOf(each.vector, query) +
  UNIT * each.points

/** Each row its own owner. The memory was another space's before. */
function codesOf(given: readonly Row[]) {
  const memory = new CodeMemory()
  const before = new ByteCodes(memory, DIMENSION)
  for (let at = 0; at < 64; at += 1) before.write(at, 0x1000_0000, unit([1]), 0)
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
    fc.property(rows, vector, fc.nat(49), (given, query, least) => {
      const { codes, points } = codesOf(given)
      const strengths = given.map((each) => strengthOf(each, query))
      const strengthMin = strengths[least % strengths.length] ?? 0
      const asked = { vector: query, points, similarity: SIMILARITY, constant: 0, strengthMin }
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
