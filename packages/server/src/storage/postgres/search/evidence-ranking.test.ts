// However the database's sums are rounded, the ranking is that of the exact vectors, to the last digit of a score;
// and it reads few of them.
import { expect, test } from 'vitest'
import { scoreOf } from '../../../retrieval/scoring.ts'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { queryOf, unit } from '../../conformance/records.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import { Strengths } from '../../ranking/strengths.ts'
import type { EvidenceTable } from './evidence.ts'
import { EvidenceRanking } from './evidence-ranking.ts'

const DIMENSION = 384
const MEMORIES = 400
/** What a sum of so many products of 32 bits can be off. */
const ERROR = DIMENSION * 2 ** -23

const random = randomNumbers(5)
const direction = () => Array.from({ length: DIMENSION }, () => random() - 0.5)

/** Memories of one row around the query, some of them with its very vector, and their sums as a database has them. */
function arbitraryTable() {
  const query = queryOf(direction())
  const [{ vector: asked } = { vector: new Float32Array() }] = query.parts
  const vectors = Array.from({ length: MEMORIES }, (_, no) => {
    const spread = no % 50 === 0 ? 0 : 0.06 + 0.04 * random()
    return unit(direction().map((value, axis) => (asked[axis] ?? 0) + spread * value))
  })
  const exact = Float64Array.from(vectors, (vector) => cosineOf(vector, asked))
  const memories = vectors.map((_, no) => ({
    no,
    id: `mem_${no}`,
    createdAt: no % 7,
    isSame: false,
    isAsking: false,
    pieces: [{ row: no, rowEnd: no + 1, coverage: 0, nameCoverage: 0, forms: new Set<string>() }],
  }))
  const commonness = new Float32Array(MEMORIES).fill(Number.NaN)
  const rounded = exact.map((cosine) => cosine + ERROR * (random() < 0.5 ? -1 : 1))
  const table: EvidenceTable = { memories, rows: { commonness, cosines: [rounded] } }
  const strengths = new Strengths(query, [])
  let read = 0
  const ranking = new EvidenceRanking(table, { query, terms: [], strengths }, async (nos) => {
    read += nos.length
    return new Map(nos.map((no) => [no, vectors.slice(no, no + 1)]))
  })
  const scored = memories.map((memory) => {
    const sums = strengths.of(memory, { commonness, cosines: [exact] })
    return { ...memory, score: scoreOf(sums, strengths.weights) }
  })
  const ranked = scored.sort(
    (one, other) =>
      other.score - one.score || other.createdAt - one.createdAt || (other.id > one.id ? 1 : -1),
  )
  return { ranking, ranked, read: () => read }
}

test('the best are those by the exact vectors, in their order and with their scores', async () => {
  for (const limit of [1, 10, 100]) {
    for (let round = 0; round < 10; round += 1) {
      const { ranking, ranked, read } = arbitraryTable()
      const expected = ranked.slice(0, limit).map(({ no, score }) => ({ no, score }))
      expect(await ranking.best({ limit, threshold: 0 })).toEqual(expected)
      expect(read()).toBeLessThan(MEMORIES / 2)
    }
  }
})

test('what has the threshold exactly is among them, and what is next below is not', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { ranking, ranked } = arbitraryTable()
    const threshold = ranked[30 + round]?.score ?? 0
    const found = await ranking.best({ limit: MEMORIES, threshold })
    expect(found.map(({ no }) => no)).toEqual(
      ranked.filter(({ score }) => score >= threshold).map(({ no }) => no),
    )
  }
})
