// A space that is too large to be searched exactly: what the signs propose must be nearly all that a
// full ranking finds, and whatever is found has its exact score.
import { beforeAll, expect, test } from 'vitest'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { weighTerms } from '../../../retrieval/weighing.ts'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { CALIBRATION, queryOf, unit } from '../../conformance/records.ts'
import type { MemoryFilter } from '../../store.ts'
import { across, type Given, LAST_NO, type LargeSpace, largeSpace } from '../testing/large-space.ts'
import { answerInSteps, rowsOf, searchAtOnce } from '../testing/search-at-once.ts'
import { MemoryEvidence } from './search/memory-evidence.ts'
import { SearchIndex } from './search-index.ts'
import { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

let space: LargeSpace

beforeAll(() => {
  space = largeSpace()
})

const passes = ({ memory }: Given, { userId, agentId, tags = [] }: MemoryFilter): boolean =>
  (userId === undefined || memory.userId === userId) &&
  (agentId === undefined || memory.agentId === agentId) &&
  tags.every((tag) => memory.tags.includes(tag))

/** The share of the best scores that is found, and what is found with another score than its own. */
function compare(filter: MemoryFilter, threshold: number, limit: number) {
  const { all, index, queryOf } = space
  const memoriesWith = (term: string): number =>
    [...all.values()].filter(({ pieces }) => pieces.some(({ terms }) => terms.includes(term)))
      .length
  let expected = 0
  let found = 0
  const wrong: unknown[] = []
  for (let topic = 0; topic < 40; topic += 1) {
    const query = queryOf(topic)
    const terms = weighTerms(query.terms, all.size, memoriesWith)
    const evidence = new MemoryEvidence(query, terms)
    const scores = new Map<number, number>()
    for (const [no, each] of all) {
      if (passes(each, filter)) scores.set(no, evidence.scoreOf(each.pieces))
    }
    const best = [...scores.values()]
      .filter((score) => score >= threshold)
      .toSorted((one, other) => other - one)
      .slice(0, limit)
    const ranked = searchAtOnce(index, query, filter, { limit, threshold })
    for (const { no, score } of ranked) if (scores.get(no) !== score) wrong.push({ no, score })
    expected += best.length
    found += ranked.filter(({ score }) => score >= (best.at(-1) ?? 2)).length
  }
  expect(expected, 'there is something to find').toBeGreaterThan(50)
  return { recall: found / expected, wrong }
}

test.each([
  { filter: {}, threshold: 0 },
  { filter: {}, threshold: 0.5 },
  { filter: { userId: 'user3' }, threshold: 0 },
  { filter: { agentId: 'agent' }, threshold: 0 },
  { filter: { tags: ['four', 'seven'] }, threshold: 0 },
  { filter: { agentId: 'agent', tags: ['four'] }, threshold: 0 },
])('of a large space $filter finds nearly all from $threshold on, with exact scores', (given) => {
  const { recall, wrong } = compare(given.filter, given.threshold, 10)
  expect(wrong).toEqual([])
  expect(recall).toBeGreaterThanOrEqual(0.995)
})

test('what passes a filter is found though most of what is nearer does not pass', () => {
  const { recall, wrong } = compare({ agentId: 'agent' }, 0, 400)
  expect(wrong).toEqual([])
  expect(recall).toBeGreaterThanOrEqual(0.9)
})

/** Memories about equally near to a query that lies far from every topic. */
function crowdOf(count: number) {
  const { given, near, queryOf } = space
  const vector = near(34, 1_000)
  const query = { ...queryOf(34), parts: [{ vector, commonness: 0.5 }], terms: [] }
  const crowd = Array.from({ length: count }, (_, at) => {
    const rest = across(near(at, 1_000), vector)
    const forward = 1 + 0.02 * (near(at, 1_000)[0] ?? 0) * Math.sqrt(vector.length)
    const embedding = unit([...vector].map((value, axis) => forward * value + (rest[axis] ?? 0)))
    const pieces = [{ terms: [], embeddings: [{ vector: embedding, commonness: 0.5 }] }]
    return { memory: given(LAST_NO + 4 + at).memory, pieces }
  })
  return { query, crowd }
}

/** How many of the 50 best of all are found. */
function foundOfBest(index: SearchIndex, query: SearchQuery, all: Iterable<Given>): number {
  const evidence = new MemoryEvidence(query, [])
  const scores = [...all].map(({ pieces }) => evidence.scoreOf(pieces))
  const last = scores.toSorted((one, other) => other - one)[49] ?? 2
  const ranked = searchAtOnce(index, query, {}, { limit: 50, threshold: 0 })
  return ranked.filter(({ score }) => score >= last).length
}

test('where thousands lie about equally near, more of them are looked at', () => {
  const { all, index, add, remove } = space
  const { query, crowd } = crowdOf(5_000)
  for (const each of crowd) add(each)
  expect(foundOfBest(index, query, all.values())).toBeGreaterThanOrEqual(45)
  for (const each of crowd) remove(each)
})

test('they are found too when the rest of a larger space is nothing like them', () => {
  const { near } = space
  const { query, crowd } = crowdOf(2_000)
  const far = Array.from({ length: 80_000 }, (_, at): Given => {
    const memory = { no: 100_000 + at, userId: 'far', agentId: undefined, tags: [], createdAt: at }
    return {
      memory,
      pieces: [{ terms: [], embeddings: [{ vector: near(at, 0.8), commonness: 0.5 }] }],
    }
  })
  const given = new Map([...crowd, ...far].map((each) => [each.memory.no, each]))
  const rows = rowsOf((no) => given.get(no)?.pieces ?? [])
  const vectors = far.slice(0, 200).flatMap(({ pieces }) => pieces[0]?.embeddings[0]?.vector ?? [])
  const index = new SearchIndex(rows, new Workspace(), Centroid.of(vectors))
  for (const { memory, pieces } of given.values()) index.add(memory, pieces)
  expect(foundOfBest(index, query, given.values())).toBeGreaterThanOrEqual(45)
})

/**
 * A large space of memories that have these cosines with the query, and texts that are so much like all others,
 * for which something is taken off.
 */
function spaceOf(memories: readonly { cosine: number; commonness: number }[]) {
  const random = randomNumbers(3)
  const direction = () => unit(Array.from({ length: 384 }, () => random() + random() - 1))
  const [vector, elsewhere] = [direction(), direction()]
  const given = memories.map(({ cosine, commonness }, at): Given => {
    const rest = across(direction(), vector)
    const sine = Math.sqrt(1 - cosine ** 2)
    const parts = [...vector].map((value, axis) => cosine * value + sine * (rest[axis] ?? 0))
    const memory = { no: at, userId: 'user', agentId: undefined, tags: [], createdAt: at }
    const embeddings = [{ vector: unit(parts), commonness }]
    return { memory, pieces: [{ terms: [], embeddings }] }
  })
  const rows = rowsOf((no) => given[no]?.pieces ?? [])
  const centroid = new Centroid(elsewhere.map((value) => value / 10))
  const index = new SearchIndex(rows, new Workspace(), centroid)
  for (const { memory, pieces } of given) index.add(memory, pieces)
  const calibration = { ...CALIBRATION, cosine: { scale: 1, offset: 0 } }
  return { index, query: queryOf([...vector], { commonness: 0.5, calibration }) }
}

test('what only just reaches the threshold is found, however near it has to lie for that', () => {
  const { border, commonness: share } = CALIBRATION.stating
  const reached = border + share.query * 0.5
  const memories = Array.from({ length: 250 }, (_, at) => {
    const commonness = (0.8 * at) / 250
    return { commonness, cosine: reached + share.memory * commonness + 0.003 }
  })
  const { index, query } = spaceOf(memories)
  const found = searchAtOnce(index, query, {}, { limit: 250, threshold: 0.5 })
  expect(found.length).toBeGreaterThanOrEqual(249)
})

test('the memories of a user are found though all others are nearer, and more than are looked at', () => {
  const { index, given, queryOf, add, remove } = space
  const query = { ...queryOf(35), terms: [] }
  const near = query.parts[0]?.vector ?? new Float32Array()
  const far = near.map((value) => -value)
  const some = Array.from({ length: 10_300 }, (_, at): Given => {
    const { memory } = given(LAST_NO + 4 + at)
    const [userId, vector] = at < 8_200 ? ['near', near] : ['far', far]
    const pieces = [{ terms: [], embeddings: [{ vector, commonness: 0.5 }] }]
    return { memory: { ...memory, userId }, pieces }
  })
  for (const each of some) add(each)
  const found = searchAtOnce(index, query, { userId: 'far' }, { limit: 10, threshold: 0 })
  expect(found).toHaveLength(10)
  for (const each of some) remove(each)
})

test('the very text is found although nothing else speaks for it', () => {
  const { index, given, queryOf, add, remove } = space
  const no = LAST_NO + 1
  const hidden = given(no)
  const [piece] = hidden.pieces
  piece?.terms.push('=ABCDEFGHIJKLMNOP')
  add(hidden)
  const query = { ...queryOf(31), identity: '=ABCDEFGHIJKLMNOP', terms: [] }
  expect(searchAtOnce(index, query, {}, { limit: 1, threshold: 0 })).toEqual([{ no, score: 1 }])
  remove(hidden)
  expect(searchAtOnce(index, query, {}, { limit: 10, threshold: 1 })).toEqual([])
})

test('a memory with the vector of the query has the score 1, whatever else speaks against it', () => {
  const { index, given, near, queryOf, add, remove } = space
  const no = LAST_NO + 2
  const query = { ...queryOf(32), parts: [{ vector: near(32, 0.6), commonness: 1 }] }
  const embeddings = [{ vector: query.parts[0]?.vector ?? new Float32Array(), commonness: 1 }]
  const pieces = [{ terms: [`own${no}`], embeddings }]
  const twin = { memory: given(no).memory, pieces }
  add(twin)
  for (const threshold of [0.5, 0.99, 0.9999, 1]) {
    const [first] = searchAtOnce(index, query, {}, { limit: 1, threshold })
    expect(first, `from ${threshold} on`).toEqual({ no, score: 1 })
  }
  remove(twin)
})

test('also when thousands that are nearly as near have all of its words', () => {
  const { index, given, near, queryOf, add, remove } = space
  const vector = near(32, 0.6)
  const asked = queryOf(32)
  const words = asked.terms.map(({ term }) => term)
  const twin = given(LAST_NO + 2)
  twin.pieces = [{ terms: [], embeddings: [{ vector, commonness: 1 }] }]
  const rivals = Array.from({ length: 1_700 }, (_, at): Given => {
    const close = unit([...vector].map((value, axis) => value + 0.2 * (near(at, 1)[axis] ?? 0)))
    const pieces = [{ terms: words, embeddings: [{ vector: close, commonness: 0 }] }]
    return { memory: given(LAST_NO + 4 + at).memory, pieces }
  })
  for (const each of [twin, ...rivals]) add(each)
  const query = { ...asked, parts: [{ vector, commonness: 1 }] }
  expect(words.length).toBeGreaterThan(0)
  expect(searchAtOnce(index, query, {}, { limit: 1, threshold: 0.5 })).toEqual([
    { no: twin.memory.no, score: 1 },
  ])
  for (const each of [twin, ...rivals]) remove(each)
})

test('a memory is found by the last sentences of a long text, and is one result', () => {
  const { index, side, given, queryOf, add, remove } = space
  const no = LAST_NO + 3
  const [vector] = queryOf(33).parts.map((part) => part.vector)
  if (vector === undefined) throw new Error('A query has a vector.')
  const far = { vector: vector.map((value) => -value), commonness: 0.5 }
  const close = [0.05, -0.05].map((share) => ({
    vector: unit([...vector].map((value, axis) => value + share * (side[axis] ?? 0))),
    commonness: 0.5,
  }))
  const pieces = [[far], [far, far], [far, ...close]].map((embeddings) => ({
    terms: ['own'],
    embeddings,
  }))
  const long = { memory: given(no).memory, pieces }
  add(long)
  const query = { ...queryOf(33), parts: [{ vector, commonness: 0.5 }], terms: [] }
  const found = searchAtOnce(index, query, {}, { limit: 50, threshold: 0 }).map((each) => each.no)
  expect(found.filter((each) => each === no)).toEqual([no])
  expect(new Set(found).size, 'none is there twice').toBe(found.length)
  remove(long)
})

test('a query of several parts finds the same when others come in between its steps', () => {
  const { index, given, queryOf, add, remove } = space
  const query = { ...queryOf(5), parts: [5, 6, 7].flatMap((topic) => queryOf(topic).parts) }
  const asked = [query, { agentId: 'agent' }, { limit: 10, threshold: 0 }] as const
  const alone = searchAtOnce(index, ...asked)
  const steps = answerInSteps(index, ...asked)
  let others = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    others += 1
    // As many as need another chunk of rows.
    const more = Array.from({ length: 1_100 }, (_, at) => given(LAST_NO + 4 + at))
    for (const each of more) add(each)
    searchAtOnce(index, queryOf(20 + others), { userId: 'user3' }, { limit: 10, threshold: 0 })
    index.expect(queryOf(others))
    for (const each of more) remove(each)
  }
  expect(others).toBeGreaterThan(3)
  expect(alone).toHaveLength(10)
  expect(step.value.ranked).toEqual(alone)
})
