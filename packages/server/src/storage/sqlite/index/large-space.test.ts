// A space that is too large to be searched exactly: what the signs propose must be nearly all that a
// full ranking finds, and whatever is found has its exact score. Also the copies of its index: they
// answer as it does, and none that is damaged or out of date is ever used.
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { CALIBRATION, unit } from '../../conformance/records.ts'
import type { MemoryFilter, SpaceId } from '../../store.ts'
import { openDatabase } from '../open-database.ts'
import { newFolder } from '../testing/store-in-folder.ts'
import { Centroid } from './centroid.ts'
import type { IndexedMemory, IndexedPiece } from './indexed.ts'
import { MemoryEvidence } from './memory-evidence.ts'
import { SearchIndex } from './search-index.ts'
import { dropSnapshots, snapshots } from './snapshots.ts'
import { Workspace } from './workspace.ts'

const MEMORIES = 6_000
const DIMENSION = 96
const SPACE = 1 as SpaceId
const GENERATION = 1

/** Numbers from 0 to 1, the same in each run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = sequence(7)
const noise = (): number => random() + random() + random() - 1.5
const direction = (): number[] => Array.from({ length: DIMENSION }, noise)
/** Vectors of a model: around some topics, all of them on one side. */
const side = direction()
const topics = Array.from({ length: 60 }, direction)
const near = (topic: number, spread: number): Float32Array =>
  unit(
    direction().map(
      (value, axis) => (topics[topic % 60]?.[axis] ?? 0) + spread * value + 1.5 * (side[axis] ?? 0),
    ),
  )

const TERMS = ['tea', 'milk', 'dusk', 'dawn', 'rye', 'oat']
type Given = { memory: IndexedMemory; pieces: IndexedPiece[] }
const given = (no: number): Given => {
  const several = no % 10 === 0
  const pieces = Array.from({ length: several ? 2 : 1 }, (_, place) => ({
    part: place,
    terms: [...TERMS.filter((_term, at) => random() < 0.5 ** (at + 1)), `own${no}`],
    embeddings: Array.from({ length: several ? 2 : 1 }, () => ({
      vector: near(no, 0.8),
      commonness: no % 5 === 0 ? undefined : random(),
    })),
  }))
  const memory = {
    no,
    userId: `user${no % 20}`,
    agentId: no % 3 === 0 ? 'agent' : undefined,
    tags: [...(no % 4 === 0 ? ['four'] : []), ...(no % 7 === 0 ? ['seven'] : [])],
    createdAt: no % 100,
  }
  return { memory, pieces }
}

const all = new Map<number, Given>()
const rows = {
  piecesOf: (no: number) => all.get(no)?.pieces ?? [],
  idOf: (no: number) => `${no}`,
}
const workspace = new Workspace()
let index: SearchIndex

const removedMemory = ({ memory, pieces }: Given) => ({
  ...memory,
  terms: [...new Set(pieces.flatMap(({ terms }) => terms))],
})

beforeAll(() => {
  for (let no = 1; no <= MEMORIES + 500; no += 1) all.set(no, given(no))
  const sample = [...all.values()].slice(0, 200)
  const centroid = Centroid.of(
    sample.flatMap(({ pieces }) => pieces[0]?.embeddings[0]?.vector ?? []),
  )
  index = new SearchIndex(rows, workspace, centroid)
  for (const { memory, pieces } of all.values()) index.add(memory, pieces)
  // Their rows are taken by later ones.
  for (let no = 1; no <= 500; no += 1) {
    const gone = all.get(no)
    if (gone !== undefined) index.remove(removedMemory(gone))
    all.delete(no)
  }
  for (let no = MEMORIES + 501; no <= MEMORIES + 600; no += 1) {
    const late = given(no)
    all.set(no, late)
    index.add(late.memory, late.pieces)
  }
})

const term = (word: string) => ({
  ...{ term: word, word, alternatives: word === 'rye' ? ['oat'] : [] },
  ...{ isName: word === 'dusk', rarity: 3, isKnown: true },
})
const queryOf = (topic: number): SearchQuery => ({
  parts: Array.from({ length: topic % 9 === 0 ? 2 : 1 }, () => ({
    vector: near(topic, 0.6),
    commonness: 0.5,
  })),
  terms: TERMS.filter(() => random() < 0.4).map(term),
  asks: topic % 2 === 0,
  identity: '=',
  calibration: { ...CALIBRATION, cosine: { scale: 1, offset: 0 } },
})

const passes = ({ memory }: Given, { userId, agentId, tags = [] }: MemoryFilter): boolean =>
  (userId === undefined || memory.userId === userId) &&
  (agentId === undefined || memory.agentId === agentId) &&
  tags.every((tag) => memory.tags.includes(tag))

/** The share of the best scores that is found, and what is found with another score than its own. */
function compare(of: SearchIndex, filter: MemoryFilter, threshold: number) {
  let expected = 0
  let found = 0
  const wrong: unknown[] = []
  for (let topic = 0; topic < 40; topic += 1) {
    const query = queryOf(topic)
    const evidence = new MemoryEvidence(query, of.weigh(query))
    const scores = new Map<number, number>()
    for (const [no, each] of all) {
      if (passes(each, filter)) scores.set(no, evidence.scoreOf(each.pieces))
    }
    const best = [...scores.values()]
      .filter((score) => score >= threshold)
      .toSorted((one, other) => other - one)
      .slice(0, 10)
    const ranked = of.search(query, filter, { limit: 10, threshold })
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
  const { recall, wrong } = compare(index, given.filter, given.threshold)
  expect(wrong).toEqual([])
  expect(recall).toBeGreaterThanOrEqual(0.995)
})

test('the very text is found although nothing else speaks for it', () => {
  const no = MEMORIES + 601
  const hidden = given(no)
  const [piece] = hidden.pieces
  piece?.terms.push('=ABCDEFGHIJKLMNOP')
  all.set(no, hidden)
  index.add(hidden.memory, hidden.pieces)
  const query = { ...queryOf(31), identity: '=ABCDEFGHIJKLMNOP', terms: [] }
  expect(index.search(query, {}, { limit: 1, threshold: 0 })).toEqual([{ no, score: 1 }])
  index.remove(removedMemory(hidden))
  all.delete(no)
  expect(index.search(query, {}, { limit: 10, threshold: 1 })).toEqual([])
})

test('a memory with the vector of the query has the score 1, whatever else speaks against it', () => {
  const no = MEMORIES + 602
  const query = { ...queryOf(32), parts: [{ vector: near(32, 0.6), commonness: 1 }] }
  const same = given(no)
  const embeddings = [{ vector: query.parts[0]?.vector ?? new Float32Array(), commonness: 1 }]
  const twin = { memory: same.memory, pieces: [{ part: 0, terms: [`own${no}`], embeddings }] }
  all.set(no, twin)
  index.add(twin.memory, twin.pieces)
  for (const threshold of [0.5, 0.99, 0.9999, 1]) {
    const [first] = index.search(query, {}, { limit: 1, threshold })
    expect(first, `from ${threshold} on`).toEqual({ no, score: 1 })
  }
  index.remove(removedMemory(twin))
  all.delete(no)
})

test('a memory is found by the last sentences of a long text, and is one result', () => {
  const no = MEMORIES + 603
  const [vector] = queryOf(33).parts.map((part) => part.vector)
  if (vector === undefined) throw new Error('A query has a vector.')
  const far = { vector: vector.map((value) => -value), commonness: 0.5 }
  const close = [0.05, -0.05].map((share) => ({
    vector: unit([...vector].map((value, axis) => value + share * (side[axis] ?? 0))),
    commonness: 0.5,
  }))
  const pieces = [[far], [far, far], [far, ...close]].map((embeddings, part) => ({
    ...{ part, terms: ['own'], embeddings },
  }))
  const long = { memory: { ...given(no).memory, no }, pieces }
  all.set(no, long)
  index.add(long.memory, long.pieces)
  const query = { ...queryOf(33), parts: [{ vector, commonness: 0.5 }], terms: [] }
  const found = index.search(query, {}, { limit: 50, threshold: 0 }).map((each) => each.no)
  expect(found.filter((each) => each === no)).toEqual([no])
  expect(new Set(found).size, 'none is there twice').toBe(found.length)
  index.remove(removedMemory(long))
  all.delete(no)
})

/** A database that knows which memories there are, which is all that copies ask of it. */
function setUp() {
  const db = openDatabase(join(newFolder(), 'a.db'))
  db.exec('CREATE TABLE memories (no INTEGER PRIMARY KEY, space_no INTEGER NOT NULL)')
  const insert = db.prepare('INSERT INTO memories VALUES (?, 1)')
  db.transaction(() => {
    for (const no of all.keys()) insert.run(no)
  })()
  const copies = snapshots(db, workspace, rows)
  return {
    db,
    copies,
    file: `${db.name}-index-1`,
    remove: db.prepare('DELETE FROM memories WHERE no = ?'),
  }
}

test('an index read from its copy answers as the index itself, and takes changes as it does', () => {
  const { copies } = setUp()
  expect(copies.save(SPACE, GENERATION, index)).toBe(true)
  const restored = copies.load(SPACE, GENERATION)
  expect(restored?.lastNo).toBe(MEMORIES + 600)
  const other = restored?.index
  if (other === undefined) throw new Error('There is no copy.')
  const queries = Array.from({ length: 20 }, (_, topic) => queryOf(topic))
  const answers = (of: SearchIndex) =>
    queries.flatMap((query) =>
      [{}, { userId: 'user4' }, { tags: ['four'] }].map((filter) =>
        of.search(query, filter, { limit: 10, threshold: 0 }),
      ),
    )
  expect(answers(other)).toEqual(answers(index))
  const changed = [...all.values()].slice(100, 400)
  for (const each of changed) for (const of of [index, other]) of.remove(removedMemory(each))
  for (const each of changed.slice(0, 200)) {
    for (const of of [index, other]) of.add(each.memory, each.pieces)
  }
  expect(answers(other)).toEqual(answers(index))
  for (const each of changed.slice(200)) index.add(each.memory, each.pieces)
  other.release()
})

test('a copy in which any byte is another one, or that ends early, is not used and is removed', () => {
  const { copies, file } = setUp()
  const places = sequence(11)
  for (let round = 0; round < 60; round += 1) {
    copies.save(SPACE, GENERATION, index)
    const { size } = statSync(file)
    const place = round < 20 ? round * 4 : Math.floor(places() * size)
    if (round % 4 === 3) truncateSync(file, place)
    else {
      const descriptor = openSync(file, 'r+')
      const [byte = 0] = readFileSync(file).subarray(place, place + 1)
      writeSync(descriptor, Uint8Array.of(byte ^ (1 << (round % 8))), 0, 1, place)
      closeSync(descriptor)
    }
    expect(copies.load(SPACE, GENERATION), `byte ${place} of ${size}`).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  }
})

test('a copy that has what the rows have no more is not used', () => {
  const { copies, file, remove } = setUp()
  copies.save(SPACE, GENERATION, index)
  expect(copies.load(SPACE, GENERATION + 1), 'of other vectors').toBeUndefined()
  copies.save(SPACE, GENERATION, index)
  remove.run(1_000)
  expect(copies.load(SPACE, GENERATION)).toBeUndefined()
  expect(existsSync(file)).toBe(false)
  expect(copies.save(SPACE, GENERATION, index), 'nor made').toBe(false)
  expect(existsSync(`${file}.draft`)).toBe(false)
})

test('what an earlier run left is removed at the start', () => {
  const { copies, db, file, remove } = setUp()
  copies.save(SPACE, GENERATION, index)
  closeSync(openSync(`${file}.draft`, 'w'))
  copies.dropStale()
  expect([existsSync(file), existsSync(`${file}.draft`)]).toEqual([true, false])
  remove.run(1_000)
  snapshots(db, workspace, rows).dropStale()
  expect(existsSync(file)).toBe(false)
})

test('after a deletion no copy is left, not even one that is being written', () => {
  const { copies, db, file } = setUp()
  const { size, lastNo } = index
  const saving = { size, lastNo, save: () => dropSnapshots(db.name, new Set([SPACE])) }
  expect(copies.save(SPACE, GENERATION, saving)).toBe(false)
  expect([existsSync(file), existsSync(`${file}.draft`)]).toEqual([false, false])
  copies.save(SPACE, GENERATION, index)
  expect(existsSync(file)).toBe(true)
  dropSnapshots(db.name, new Set([SPACE]))
  expect(existsSync(file)).toBe(false)
})
