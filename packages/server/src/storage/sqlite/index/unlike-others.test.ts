// Large spaces in which nearly all memories have one text, as of a log: for the few others the mean of all
// says little about how far their codes are off.
import { expect, test } from 'vitest'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { queryOf, termOf, unit } from '../../conformance/records.ts'
import { rowsOf, searchAtOnce } from '../testing/search-at-once.ts'
import { MemoryEvidence } from './search/memory-evidence.ts'
import { SearchIndex } from './search-index.ts'
import { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

const vectorOf = ({ vector }: { vector: Float32Array }): Float32Array => vector

test('one that is unlike all others has its exact score, though its codes are further off than theirs', () => {
  const random = randomNumbers(3)
  const direction = (): Float32Array => unit(Array.from({ length: 96 }, () => random() - 0.5))
  const common = direction()
  const vectors = [direction(), ...Array.from({ length: 500 }, () => common)]
  const piecesOf = (no: number) => {
    const vector = vectors[no]
    return vector === undefined ? [] : [{ terms: [], embeddings: [{ vector, commonness: 0.5 }] }]
  }
  const index = new SearchIndex(rowsOf(piecesOf), new Workspace(), Centroid.of([common]))
  for (const no of vectors.keys()) {
    index.add({ no, userId: 'ann', agentId: undefined, tags: [], createdAt: 1 }, piecesOf(no))
  }
  const cut = { limit: vectors.length, threshold: 0 }
  for (let round = 0; round < 50; round += 1) {
    const query = queryOf([...direction()])
    const stating = { ...query.calibration.stating, border: 0, sharpness: 1 }
    const scored = (weights: typeof stating) => {
      const asked = { ...query, calibration: { ...query.calibration, stating: weights } }
      return searchAtOnce(index, asked, {}, cut).find(({ no }) => no === 0)?.score
    }
    const score = scored(stating) ?? 0
    const border = Math.log(score / (1 - score))
    // What lies a little off the border has nothing or all.
    expect(scored({ ...stating, border, sharpness: 1_000 })).toBeCloseTo(0.5, 0)
  }
})

test('what has the very vector of the query is found, however many others have its words and are less common', () => {
  const random = randomNumbers(5)
  const numbers = Array.from({ length: 96 }, () => random() - 0.5)
  const beside = (): Float32Array => {
    const shift = 0.5 + random()
    return unit(numbers.map((number) => number + shift * (random() - 0.5)))
  }
  const same = { terms: [], embeddings: [{ vector: unit(numbers), commonness: 1 }] }
  const others = Array.from({ length: 2_500 }, () => ({
    terms: ['tea'],
    embeddings: [{ vector: beside(), commonness: 0 }],
  }))
  const memories = [...others, ...Array.from({ length: 5 }, () => same)]
  const piecesOf = (no: number) => memories.slice(no, no + 1)
  const centroid = Centroid.of(others.flatMap(({ embeddings }) => embeddings).map(vectorOf))
  const index = new SearchIndex(rowsOf(piecesOf), new Workspace(), centroid)
  for (const no of memories.keys()) {
    index.add({ no, userId: 'ann', agentId: undefined, tags: [], createdAt: 1 }, piecesOf(no))
  }
  const query = queryOf(numbers, { terms: [termOf('tea')] })
  const { calibration } = query
  // Nearly all says the word.
  const stating = { ...calibration.stating, coverage: 0.5 }
  const asked = { ...query, calibration: { ...calibration, stating } }
  const found = searchAtOnce(index, asked, {}, { limit: 10, threshold: 0 })
  expect(found.filter(({ score }) => score === 1)).toHaveLength(5)
})

test('among very many of one text, those of others are found as surely', () => {
  const random = randomNumbers(4)
  const direction = (): Float32Array => unit(Array.from({ length: 96 }, () => random() - 0.5))
  const common = direction()
  const vectors = Array.from({ length: 6_000 }, (_, no) => (no < 200 ? direction() : common))
  const piecesOf = (no: number) => [
    { terms: [], embeddings: [{ vector: vectors[no] ?? common, commonness: 0.5 }] },
  ]
  const index = new SearchIndex(rowsOf(piecesOf), new Workspace(), Centroid.of([common]))
  for (const no of vectors.keys()) {
    index.add({ no, userId: 'ann', agentId: undefined, tags: [], createdAt: 1 }, piecesOf(no))
  }
  let missed = 0
  for (let round = 0; round < 60; round += 1) {
    const query = queryOf([...direction()])
    const evidence = new MemoryEvidence(query, [])
    const scores = [...vectors.keys()].map((no) => evidence.scoreOf(piecesOf(no)))
    const tenth = scores.toSorted((one, other) => other - one)[9] ?? 0
    const found = searchAtOnce(index, query, {}, { limit: 10, threshold: 0 })
    missed += 10 - found.filter(({ score }) => score >= tenth).length
  }
  // Of 600, as of any large space.
  expect(missed).toBeLessThanOrEqual(3)
})
