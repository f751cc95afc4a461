import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestTen } from './best-ten.ts'

test('the best ten are those of a stable sort', () => {
  const hits = fc
    .array(fc.integer({ min: 0, max: 8 }), { maxLength: 40 })
    .map((scores) => scores.map((score, place) => ({ id: `${place}`, score })))
  fc.assert(
    fc.property(hits, (all) => {
      const sorted = all.toSorted((a, b) => b.score - a.score).slice(0, 10)
      expect(bestTen(all)).toEqual(sorted)
    }),
  )
})
