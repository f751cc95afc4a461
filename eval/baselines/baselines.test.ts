import { expect, test } from 'vitest'
import type { Retriever } from '../retriever.ts'
import { Bm25 } from './bm25.ts'
import { RankFusion } from './rank-fusion.ts'

const ALL = { limit: 10, threshold: 0 }

test('BM25 gives the score that the formula gives by hand', async () => {
  const bm25 = new Bm25()
  await bm25.add('u', [
    { id: 'a', content: 'boat boat harbour' },
    { id: 'b', content: 'garden' },
  ])
  // N = 2, n = 1, tf = 2, length 3, mean length 2.
  const idf = Math.log(1 + 1.5 / 1.5)
  const norm = 1.2 * (1 - 0.75 + 0.75 * (3 / 2))
  const [hit] = await bm25.search('u', 'Boats?', ALL)
  expect(hit?.id).toBe('a')
  expect(hit?.score).toBeCloseTo((idf * 2 * 2.2) / (2 + norm), 10)
})

test('BM25 finds no text without a word of the query, and none of another user', async () => {
  const bm25 = new Bm25()
  await bm25.add('u', [{ id: 'a', content: 'a boat in the harbour' }])
  expect(await bm25.search('u', 'the garden in the rain', ALL)).toEqual([])
  expect(await bm25.search('v', 'boat', ALL)).toEqual([])
})

const ranking = (...ids: string[]): Retriever => ({
  name: 'fixed',
  threshold: undefined,
  add: async () => {},
  search: async () => ids.map((id, place) => ({ id, score: 100 - place })),
})

test('rank fusion adds the reciprocals of sixty plus the place', async () => {
  const fusion = new RankFusion([ranking('a', 'b'), ranking('b', 'c')])
  const hits = await fusion.search('u', 'q', ALL)
  expect(hits.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  expect(hits.map(({ score }) => score)).toEqual([1 / 62 + 1 / 61, 1 / 61, 1 / 62])
})
