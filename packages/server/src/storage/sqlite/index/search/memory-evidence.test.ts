// What scoring a memory costs, counted: a long query has thousands of terms and a hundred parts, and so has
// a long memory.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WeighedTerm } from '../../../../retrieval/weighing.ts'
import { CALIBRATION, queryOf, unit } from '../../../conformance/records.ts'
import { MemoryEvidence } from './memory-evidence.ts'

const termOf = (word: string, share: number, isName = false): WeighedTerm => ({
  word,
  forms: [word, `${word}s`],
  isName,
  share,
})

/** Counts how often one of the terms is looked at. */
function counted(terms: string[], seen: { looks: number }): string[] {
  return new Proxy(terms, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) seen.looks += 1
      return Reflect.get(target, key, receiver)
    },
  })
}

test('the terms of a piece are looked at a few times, however many terms the query has', () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `word${at}`)
  const evidence = new MemoryEvidence(
    queryOf([1, 0]),
    words.map((word) => termOf(word, 1 / words.length)),
  )
  const seen = { looks: 0 }
  const own = Array.from({ length: 50 }, (_, at) => `own${at}`)
  const embeddings = [{ vector: unit([0, 1]), commonness: undefined }]
  const pieces = [{ terms: counted([...own, 'word7'], seen), embeddings }]
  evidence.scoreOf(pieces)
  expect(seen.looks).toBeGreaterThanOrEqual(own.length)
  expect(seen.looks).toBeLessThan(10 * own.length)
})

test('a piece has the share of every term of which it has any form, added in the order of the query', () => {
  const words = [
    'tea',
    'milk',
    'dusk',
    'rain',
    'boat',
    'moor',
    'path',
    'leaf',
    'salt',
    'wool',
    'iron',
  ]
  const word: fc.Arbitrary<string> = fc.constantFrom(...words)
  const terms = fc.uniqueArray(word).chain((words) =>
    fc.tuple(
      ...words.map((each) =>
        fc
          .tuple(fc.subarray(['teas', 'tea', 'fog']), fc.nat(1_000), fc.boolean())
          .map(([others, share, isName]) => ({
            ...termOf(each, share / 3_000, isName),
            forms: [each, ...others],
          })),
      ),
    ),
  )
  const own = fc.array(fc.oneof(word, fc.constantFrom('teas', 'fog', 'other')), { maxLength: 12 })
  fc.assert(
    fc.property(terms, own, (asked, had) => {
      const query = queryOf([1, 0])
      const embeddings = [{ vector: unit([0, 1]), commonness: undefined }]
      const explained = new MemoryEvidence(query, asked).explain([{ terms: had, embeddings }])
      const isHad = ({ forms }: WeighedTerm) => forms.some((form) => had.includes(form))
      const coverage = asked.filter(isHad).reduce((sum, { share }) => sum + share, 0)
      expect(explained?.parts.words).toBe(CALIBRATION.stating.coverage * coverage)
      expect(explained?.terms.map(({ isMatched }) => isMatched)).toEqual(asked.map(isHad))
    }),
  )
})
