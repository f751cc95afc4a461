// What a search reads of the rows and keeps in memory: little, however many memories are alike and however
// long a query is.
import { expect, onTestFinished, test, vi } from 'vitest'
import { termOf, unit } from '../../conformance/records.ts'
import { indexOf, PLAIN } from '../testing/index-of-memories.ts'
import { answerInSteps, searchAtOnce } from '../testing/search-at-once.ts'
import { Workspace } from './tables/workspace.ts'

const CUT = { limit: 3, threshold: 0.2 }

/** Memories around a circle, a thousand of them. */
function filled() {
  const space = indexOf()
  for (let no = 0; no < 1_000; no += 1) {
    const angle = (no / 1_000) * Math.PI
    const embedding = { vector: unit([Math.cos(angle), Math.sin(angle)]), commonness: 0.6 }
    const pieces = [{ terms: [], embeddings: [embedding] }]
    space.add(no, { user: 'ann', agentId: undefined, tags: [], createdAt: 0, pieces })
  }
  const parts = [{ vector: unit([1, 0]), commonness: 0.6 }]
  return { ...space, query: { ...PLAIN, parts } }
}

test('exact vectors are read of the few that may be among the best, not of all', () => {
  const { index, reads, query } = filled()
  const found = searchAtOnce(index, query, {}, { limit: 3, threshold: 0 })
  expect(found.map(({ no }) => no)).toContain(0)
  expect(reads.length).toBeGreaterThanOrEqual(1)
  expect(reads.length).toBeLessThan(150)
})

test('the room of a memory that is removed is used again', () => {
  const { add, remove, index, known } = indexOf()
  const embeddings = [{ vector: unit([1, 0]), commonness: 0.6 }]
  const pieces = ['tea', 'milk'].map((word) => ({ terms: [word], embeddings }))
  const given = { user: 'ann', agentId: 'bot', tags: ['one'], createdAt: 0, pieces }
  const bytes: number[] = []
  for (let round = 0; round < 5; round += 1) {
    for (let no = 0; no < 100; no += 1) add(round * 100 + no, given)
    bytes.push(index.bytes)
    for (const no of known.keys()) remove(no)()
  }
  expect(Math.max(...bytes)).toBeLessThan((bytes[0] ?? 0) * 1.1)
})

test('an index that has to make room during a search makes it when the search is over', () => {
  const { index, query } = filled()
  const long = { ...query, parts: [query.parts, query.parts].flat() }
  const found = searchAtOnce(index, long, {}, CUT)
  const { bytes } = index
  const steps = answerInSteps(index, long, {}, CUT)
  let step = steps.next()
  index.release()
  expect(index.bytes).toBe(bytes)
  while (step.done !== true) step = steps.next()
  expect(step.value.ranked).toEqual(found)
  expect(index.bytes).toBeLessThan(bytes)
})

test('it makes room, too, when the search is given up', () => {
  const { index, query } = filled()
  const { bytes } = index
  const steps = answerInSteps(
    index,
    { ...query, parts: [query.parts, query.parts].flat() },
    {},
    CUT,
  )
  steps.next()
  index.release()
  steps.return({ ranked: [], explain: () => undefined })
  expect(index.bytes).toBeLessThan(bytes)
})

test('it makes room when the last of several searches is over', () => {
  const { index, query } = filled()
  const long = { ...query, parts: [query.parts, query.parts].flat() }
  const found = searchAtOnce(index, long, {}, CUT)
  const { bytes } = index
  const [one, other] = [1, 2].map(() => answerInSteps(index, long, {}, CUT))
  one?.next()
  let step = other?.next()
  index.release()
  one?.return({ ranked: [], explain: () => undefined })
  expect(index.bytes).toBe(bytes)
  while (step?.done === false) step = other?.next()
  expect(step?.value?.ranked).toEqual(found)
  expect(index.bytes).toBeLessThan(bytes)
})

test('of very many memories with the very text of the query, only the newest are read', () => {
  const { index, add, reads } = indexOf()
  const identity = '=AAAAAAAAAAAAAAAA'
  for (let no = 0; no < 1_000; no += 1) {
    const embedding = { vector: unit([Math.cos(no), Math.sin(no)]), commonness: 0.6 }
    const pieces = [{ terms: [identity], embeddings: [embedding] }]
    // Four at a time, of which the greatest id comes first.
    const createdAt = no - (no % 4)
    add(no, { user: no < 900 ? 'ann' : 'ben', agentId: undefined, tags: [], createdAt, pieces })
  }
  const query = { ...PLAIN, identity, parts: [{ vector: unit([1, 0]), commonness: 0.6 }] }
  const found = (threshold: number) =>
    searchAtOnce(index, query, { userId: 'ann' }, { limit: 6, threshold })
  for (const threshold of [0, 0.5, 1]) {
    reads.length = 0
    expect(found(threshold)).toEqual([899, 898, 897, 896, 895, 894].map((no) => ({ no, score: 1 })))
    expect(reads.length).toBeLessThanOrEqual(8)
  }
})

test('the cosines of one part of a query are kept at a time', () => {
  const { index, query } = filled()
  const cosines = vi.spyOn(Workspace.prototype, 'cosines')
  onTestFinished(() => cosines.mockRestore())
  const parts = Array.from({ length: 5 }, () => query.parts).flat()
  searchAtOnce(index, { ...query, parts }, {}, CUT)
  expect(cosines).toHaveBeenCalledTimes(5)
  expect(new Set(cosines.mock.results.map(({ value }) => value)).size).toBe(1)
})

const asked = (words: readonly string[]) => words.map((word) => termOf(word))

test('vectors are read of the memory that has the words of a long query in one piece, not in many', () => {
  const { index, add, reads } = indexOf()
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`)
  const embeddings = [{ vector: unit([1, 1]), commonness: 0.6 }]
  for (let no = 0; no < 200; no += 1) {
    const pieces = words.map((word) => ({ terms: no === 70 ? words : [word], embeddings }))
    add(no, { user: 'ann', agentId: undefined, tags: [], createdAt: 0, pieces })
  }
  const parts = Array.from({ length: 8 }, () => ({ vector: unit([1, 0]), commonness: 0.6 }))
  const query = { ...PLAIN, terms: asked(words), parts }
  const [best] = searchAtOnce(index, query, {}, { limit: 1, threshold: 0 })
  expect(best?.no).toBe(70)
  expect(reads.length).toBeLessThan(5)
})

test("nor are they read of all when each of a very long query's words is worth next to nothing", () => {
  const { index, add, reads } = indexOf()
  const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`)
  for (let no = 0; no < 500; no += 1) {
    const vector = unit([Math.cos(no / 100), Math.sin(no / 100), 1])
    const terms = no === 30 ? words.slice(0, 2_000) : []
    const pieces = [{ terms, embeddings: [{ vector, commonness: 0.6 }] }]
    add(no, { user: 'ann', agentId: undefined, tags: [], createdAt: 0, pieces })
  }
  const parts = Array.from({ length: 8 }, () => ({ vector: unit([1, 0, 0]), commonness: 0.6 }))
  const long = { ...PLAIN, terms: asked(words), parts }
  const [best] = searchAtOnce(index, long, {}, { limit: 1, threshold: 0 })
  expect(best?.no).toBe(30)
  expect(reads.length).toBeLessThan(10)
})
