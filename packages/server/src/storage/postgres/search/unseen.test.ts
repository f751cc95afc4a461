// What is said of memories that were not read is what the very memory would have, of which as much may be left:
// no less, or results would be missing, and no more, or every search would read more than it needs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryOf } from '../../conformance/records.ts'
import { Strengths } from '../../ranking/strengths.ts'
import { strengthOfUnseen } from './unseen.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const cosine = fc.double({ min: -1, max: 1, noNaN: true })
const commonness = fc.option(cosine, { nil: undefined })
const part = fc.record({ cosine, commonness })

test('a memory that was not read has the strength that is left to it, for each part of a query', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      commonness,
      share,
      fc.boolean(),
      fc.boolean(),
      (parts, commonnessMin, coverage, canHaveNames, asks) => {
        const query = queryOf([1], {
          asks,
          parts: parts.map((each) => ({ vector: Float32Array.of(1), ...each })),
        })
        const names = [{ word: 'anna', forms: ['anna'], isName: canHaveNames, share: 1 }]
        const strengths = new Strengths(query, names)
        const piece = { row: 0, rowEnd: 1, coverage, nameCoverage: Number(canHaveNames) }
        const { strength } = strengths.of(
          { pieces: [piece], isAsking: false },
          {
            commonness: [commonnessMin ?? Number.NaN],
            cosines: parts.map((each) => [each.cosine]),
          },
        )
        const furthest = parts.map((each) => each.cosine)
        const unseen = { furthest, coverage, canHaveNames, commonnessMin }
        expect(strengthOfUnseen(query, strengths.weights, unseen)).toBeCloseTo(strength, 9)
      },
    ),
  )
})
