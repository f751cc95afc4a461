// The ranking that recall is measured against equals that of the oracle, although it has code of its own,
// which takes one memory after the other.
import { expect, test } from 'vitest'
import { calibrationOfBundledModel } from '../../packages/server/src/embedding/model-calibration.ts'
import { rarityInEnglish } from '../../packages/server/src/retrieval/rarity.ts'
import { searchQueryOf } from '../../packages/server/src/retrieval/search-query.ts'
import { exactSearch } from '../../packages/server/src/storage/conformance/oracle.ts'
import { memoryAt } from '../data/memories.ts'
import { generator, normal } from '../data/random.ts'
import type { Sample } from '../data/sample.ts'
import { exactRankings } from './exact-ranking.ts'

const random = generator(11)
const WORDS = 'Anna coffee dark roast likes meeting Lisbon train morning never tulip 4711'.split(
  ' ',
)
const pick = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? ''
const unit = (): Float32Array => {
  const vector = Float32Array.from({ length: 24 }, () => normal(random))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
const texts = Array.from({ length: 60 }, () => ({
  text: `${pick()} ${pick()} ${pick()} ${pick()} ${pick()}.`,
  vector: unit(),
  commonness: 0.4 + 0.2 * random(),
}))
const sample: Sample = { texts, asked: [], queries: [] }
const queries = ['What does Anna like?', 'dark rost coffee', 'train to Lisbon 4711', 'tulips'].map(
  (text) => {
    const part = { vector: unit(), commonness: 0.5 }
    return searchQueryOf(text, [part], rarityInEnglish(), calibrationOfBundledModel())
  },
)

test.each(['plain', 'sentences'] as const)('it ranks %s memories as the oracle does', (kind) => {
  const size = 300
  const stored = Array.from({ length: size }, (_, no) => memoryAt(sample, no, size, kind))
  const found = exactRankings(
    { size, memoryAt: (no) => memoryAt(sample, no, size, kind) },
    queries,
    10,
  )
  const cut = { limit: 10, threshold: 0 }
  const expected = queries.map((query) =>
    exactSearch(stored, query, {}, cut).map(({ id, score }) => ({ id, score })),
  )
  expect(found).toEqual(expected)
})
