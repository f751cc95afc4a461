import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Evidence, scoreOf, termWeight } from './scoring.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  coverage: share,
  nameCoverage: fc.option(share, { nil: undefined }),
  asks: fc.boolean(),
})
const NOTHING: Evidence = { similarity: 0, coverage: 0, nameCoverage: undefined, asks: false }

describe('a score', () => {
  it('lies between 0 and 1 and has four decimals', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const score = scoreOf(evidence)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(score).toBe(Number(score.toFixed(4)))
      }),
    )
  })

  it('never falls when there is more of any evidence', () => {
    fc.assert(
      fc.property(anyEvidence, anyEvidence, (one, other) => {
        const best = {
          similarity: Math.max(one.similarity, other.similarity),
          coverage: Math.max(one.coverage, other.coverage),
          asks: one.asks,
        }
        const { nameCoverage } = one
        expect(scoreOf({ ...best, nameCoverage })).toBeGreaterThanOrEqual(scoreOf(one))
        if (nameCoverage === undefined) return
        const more = Math.max(nameCoverage, other.nameCoverage ?? 0)
        expect(scoreOf({ ...best, nameCoverage: more })).toBeGreaterThanOrEqual(scoreOf(one))
      }),
    )
  })

  it('is 1 for the same text, whatever its words, and below 1 for any other', () => {
    expect(scoreOf({ ...NOTHING, similarity: 1 })).toBe(1)
    expect(scoreOf({ similarity: 0.9999, coverage: 1, nameCoverage: 1, asks: true })).toBe(0.9999)
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const similarity = Math.min(evidence.similarity, 0.9999)
        expect(scoreOf({ ...evidence, similarity })).toBeLessThan(1)
      }),
    )
  })

  it('passes the default threshold for a paraphrase and not for an unrelated text', () => {
    expect(scoreOf({ ...NOTHING, similarity: 0.85, coverage: 0.4 })).toBeGreaterThan(0.5)
    expect(scoreOf({ ...NOTHING, similarity: 0.55 })).toBeLessThan(0.1)
  })
})

describe('the weight of a term', () => {
  const counts = fc
    .record({ documents: fc.nat(1_000_000), share })
    .map(({ documents, share }) => ({ documents, withTerm: Math.floor(documents * share) }))

  it('is positive and falls the more memories have the term', () => {
    fc.assert(
      fc.property(counts, ({ documents, withTerm }) => {
        const weight = termWeight(5, documents, withTerm)
        expect(weight).toBeGreaterThan(0)
        expect(termWeight(5, documents, withTerm + 1)).toBeLessThan(weight)
      }),
    )
  })

  it('grows with the rarity of the term in the language', () => {
    expect(termWeight(8, 100, 10)).toBeGreaterThan(termWeight(2, 100, 10))
  })
})
