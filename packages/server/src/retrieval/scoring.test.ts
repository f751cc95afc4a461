// The rules of the score hold whatever the calibration: more evidence never lowers it, and only the same text
// has 1. Weights and evidence are arbitrary, so that no rule depends on the numbers of one model.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberBetween } from '../testing/arbitrary-number.ts'
import type { Calibration, Weights } from './calibration.ts'
import {
  type Evidence,
  meaningOf,
  partsOf,
  scoreOf,
  similarityOf,
  strengthFor,
  strengthOf,
  termWeight,
  weightsFor,
} from './scoring.ts'

const ASKING: Weights = {
  coverage: 0.25,
  names: 0.15,
  askingMemory: 0.04,
  commonness: { memory: 0.3, query: 0.3 },
  border: 0.43,
  sharpness: 15,
}
const CALIBRATION: Calibration = {
  version: 3,
  cosine: { scale: 1, offset: 0 },
  sentence: { share: 0.5, lead: 0.05 },
  commonnessTypical: 0.6,
  asking: ASKING,
  nameless: { ...ASKING, names: 0, border: 0.3 },
  stating: { ...ASKING, border: 0.5 },
}

const share = numberBetween(0, 1)
const cosine = numberBetween(-1, 1)
const small = numberBetween(0, 2)
const anyWeights: fc.Arbitrary<Weights> = fc.record({
  coverage: small,
  names: small,
  askingMemory: small,
  commonness: fc.record({ memory: small, query: small }),
  border: numberBetween(-2, 2),
  sharpness: numberBetween(0.1, 100),
})
const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  meaning: cosine,
  coverage: share,
  nameCoverage: share,
  isAsking: fc.boolean(),
})
/** Of the kind that the bundled model gives for texts that are not the same. */
const NEAR = 0.9

describe('a score', () => {
  const scored = (evidence: Evidence, weights: Weights, nearest = NEAR): number =>
    scoreOf({ strength: strengthOf(evidence, weights), cosine: nearest }, weights)

  test('lies between 0 and 1, has four decimals and is below 1 for any other text', () => {
    fc.assert(
      fc.property(anyEvidence, anyWeights, (evidence, weights) => {
        const score = scored(evidence, weights)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThan(1)
        expect(score).toBe(Number(score.toFixed(4)))
        expect(scored(evidence, weights, 0.9999)).toBe(score)
      }),
    )
  })

  test('never falls when there is more of any evidence, whatever the calibration', () => {
    fc.assert(
      fc.property(anyEvidence, anyEvidence, anyWeights, (one, other, weights) => {
        const more: Evidence = {
          meaning: Math.max(one.meaning, other.meaning),
          coverage: Math.max(one.coverage, other.coverage),
          nameCoverage: Math.max(one.nameCoverage, other.nameCoverage),
          isAsking: one.isAsking && other.isAsking,
        }
        expect(scored(more, weights)).toBeGreaterThanOrEqual(scored(one, weights))
      }),
    )
  })

  test('is 1 for the same text, whatever else speaks against it', () => {
    fc.assert(
      fc.property(anyEvidence, anyWeights, (evidence, weights) => {
        expect(scored(evidence, weights, 1)).toBe(1)
      }),
    )
  })

  test('is 0.5 at the border', () => {
    expect(scoreOf({ strength: ASKING.border, cosine: NEAR }, ASKING)).toBe(0.5)
  })
})

describe('the parts of the evidence', () => {
  test('add up to all of it', () => {
    fc.assert(
      fc.property(anyEvidence, anyWeights, (evidence, weights) => {
        const { meaning, words, names, askingMemory } = partsOf(evidence, weights)
        const sum = meaning + words + names + askingMemory
        expect(sum).toBeCloseTo(strengthOf(evidence, weights))
      }),
    )
  })
})

test('a question is judged by whether it names anything, and a statement is not', () => {
  const { asking, nameless, stating } = CALIBRATION
  expect(weightsFor(CALIBRATION, { asks: true, hasNames: true })).toBe(asking)
  expect(weightsFor(CALIBRATION, { asks: true, hasNames: false })).toBe(nameless)
  expect(weightsFor(CALIBRATION, { asks: false, hasNames: true })).toBe(stating)
  expect(weightsFor(CALIBRATION, { asks: false, hasNames: false })).toBe(stating)
})

describe('the meaning of a piece', () => {
  const meaning = (
    piece: { cosine: number; commonness: number },
    sentence = piece,
    ofQuery: number | undefined = 0.6,
    calibration = CALIBRATION,
  ): number =>
    meaningOf(
      similarityOf(piece, calibration, ASKING),
      similarityOf(sentence, calibration, ASKING),
      ofQuery,
      calibration,
      ASKING,
    )

  test('grows with the cosine of the piece and of its best sentence', () => {
    fc.assert(
      fc.property(cosine, cosine, cosine, share, (one, other, third, commonness) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        const at = (value: number) => ({ cosine: value, commonness })
        expect(meaning(at(more), at(third))).toBeGreaterThanOrEqual(meaning(at(less), at(third)))
        expect(meaning(at(third), at(more))).toBeGreaterThanOrEqual(meaning(at(third), at(less)))
      }),
    )
  })

  test('is less for a text that lies near to everything, and for such a query', () => {
    const rare = { cosine: 0.7, commonness: 0.5 }
    expect(meaning({ ...rare, commonness: 0.7 })).toBeLessThan(meaning(rare))
    expect(meaning(rare, rare, 0.7)).toBeLessThan(meaning(rare, rare, 0.5))
  })

  test('takes a text whose commonness is not known for a typical one', () => {
    const { commonnessTypical } = CALIBRATION
    const known = similarityOf({ cosine: 0.7, commonness: commonnessTypical }, CALIBRATION, ASKING)
    expect(similarityOf({ cosine: 0.7, commonness: undefined }, CALIBRATION, ASKING)).toBe(known)
  })

  test('takes what a model measures, commonness too, as its calibration brings it to scale', () => {
    fc.assert(
      fc.property(
        fc.tuple(cosine, share, cosine, share, share),
        numberBetween(0.1, 3),
        numberBetween(-1, 1),
        ([ofPiece, near, ofSentence, nearSentence, ofQuery], scale, offset) => {
          const scaled = (value: number): number => scale * value + offset
          const asMeasured = meaning(
            { cosine: ofPiece, commonness: near },
            { cosine: ofSentence, commonness: nearSentence },
            ofQuery,
            { ...CALIBRATION, cosine: { scale, offset } },
          )
          const toScale = meaning(
            { cosine: scaled(ofPiece), commonness: scaled(near) },
            { cosine: scaled(ofSentence), commonness: scaled(nearSentence) },
            scaled(ofQuery),
          )
          expect(asMeasured).toBeCloseTo(toScale, 9)
        },
      ),
    )
  })

  test('is never far below that of its best sentence, however foreign the rest', () => {
    const sentence = { cosine: 0.8, commonness: 0.6 }
    const alone = meaning(sentence)
    expect(meaning({ cosine: -1, commonness: 0.6 }, sentence)).toBeCloseTo(alone - 0.05)
  })
})

describe('the weight of a term', () => {
  const counts = fc
    .record({ memories: fc.nat(1_000_000), share })
    .map(({ memories, share }) => ({ memories, withTerm: Math.floor(memories * share) }))

  test('is positive and falls the more memories have the term', () => {
    fc.assert(
      fc.property(counts, ({ memories, withTerm }) => {
        const weight = termWeight(5, memories, withTerm)
        expect(weight).toBeGreaterThan(0)
        expect(termWeight(5, memories, withTerm + 1)).toBeLessThan(weight)
      }),
    )
  })

  test('grows with the rarity of the term in the language', () => {
    expect(termWeight(8, 100, 10)).toBeGreaterThan(termWeight(2, 100, 10))
  })

  test('moves slowly with the data: ten times the memories change it by less than a third', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 100_000 }), share, (memories, common) => {
        const having = Math.floor(memories * common * 0.5)
        const before = termWeight(5, memories, having)
        const after = termWeight(5, memories * 10, having * 10)
        expect(Math.abs(after / before - 1)).toBeLessThan(1 / 3)
      }),
    )
  })
})

test('never gives a score to what is weaker than the strength for it', () => {
  const score = fc.integer({ min: 0, max: 10_000 }).map((steps) => steps / 10_000)
  const below = fc.oneof(fc.constant(1e-12), numberBetween(1e-12, 2))
  fc.assert(
    fc.property(score, below, anyWeights, (wanted, distance, weights) => {
      const strength = strengthFor(wanted, weights) - distance
      fc.pre(Number.isFinite(strength))
      expect(scoreOf({ strength, cosine: 0 }, weights)).toBeLessThan(wanted)
      const enough = strengthFor(wanted, weights) + 1e-8
      expect(scoreOf({ strength: enough, cosine: 0 }, weights)).toBeGreaterThanOrEqual(wanted)
    }),
  )
})

test('asks no strength for the score that everything has, and more than there is for 1 alone', () => {
  expect(strengthFor(0, ASKING)).toBe(Number.NEGATIVE_INFINITY)
  expect(strengthFor(0.9999, ASKING)).toBeLessThan(Number.POSITIVE_INFINITY)
  expect(strengthFor(1, ASKING)).toBe(Number.POSITIVE_INFINITY)
})
