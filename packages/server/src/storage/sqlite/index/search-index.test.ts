// That a search finds what scoring each memory from its rows finds: an explanation does that, one memory
// at a time and without the scan. The suite in storage/conformance holds both to the rule.
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Calibration } from '../../../retrieval/calibration.ts'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { numberBetween } from '../../../testing/arbitrary-number.ts'
import { unit } from '../../conformance/records.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import type { MemoryFilter } from '../../store.ts'
import { answerAtOnce, searchAtOnce } from '../testing/search-at-once.ts'
import type { IndexedPiece } from './indexed.ts'
import { type Answer, SearchIndex } from './search-index.ts'
import { Workspace } from './workspace.ts'

const WEIGHTS = {
  coverage: 0.25,
  names: 0.15,
  nameless: 0.12,
  askingMemory: 0.04,
  commonness: { memory: 0.3, query: 0.3 },
  border: 0.43,
}
const calibrationOf = (scale: number, sharpness: number): Calibration => ({
  version: 2,
  // The same text is near enough whatever the scale.
  cosine: { scale, offset: 0.8 - scale },
  sentence: { share: 0.5, lead: 0.05 },
  commonnessTypical: 0.6,
  asking: { ...WEIGHTS, sharpness },
  stating: { ...WEIGHTS, border: 0.5, sharpness },
})

const DIMENSION = 19
// Few directions, so that many scores are equal, and others so close together that codes cannot tell
// which is the greater one.
const axes = (step: number) =>
  fc
    .array(fc.integer({ min: -2, max: 2 }), { minLength: DIMENSION, maxLength: DIMENSION })
    .map((steps) => unit([1, ...steps.slice(1).map((count) => count * step)]))
const vector = fc.oneof(axes(1), axes(0.01), axes(0.003))
const commonness = fc.option(numberBetween(0, 1), { nil: undefined })
const embeddings = fc.array(fc.record({ vector, commonness }), { minLength: 1, maxLength: 3 })
const terms = fc.subarray(['tea', '^tea', 'milk', 'dusk', '?'])
const memory = fc.record({
  user: fc.constantFrom('ann', 'ben'),
  agentId: fc.constantFrom('ann', undefined),
  tags: fc.subarray(['one', 'two']),
  createdAt: fc.nat(2),
  pieces: fc.array(fc.record({ terms, embeddings }), { minLength: 1, maxLength: 2 }),
})
const term = (word: string) => ({
  term: word,
  word,
  alternatives: word === 'tea' ? ['milk'] : [],
  isName: word === 'dusk',
  rarity: 3,
  isKnown: true,
})
const part = fc.record({ vector, commonness })
const query: fc.Arbitrary<SearchQuery> = fc.record({
  parts: fc.oneof(
    fc.tuple(part),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.array(part, { minLength: 8, maxLength: 9 }),
  ),
  terms: fc.subarray(['tea', 'milk', 'dusk']).map((words) => words.map(term)),
  asks: fc.boolean(),
  identity: fc.constant('='),
  calibration: fc
    .tuple(fc.constantFrom(0.2, 1, 100), fc.constantFrom(1, 15, 200))
    .map(([scale, sharpness]) => calibrationOf(scale, sharpness)),
})
const filter: fc.Arbitrary<MemoryFilter> = fc.oneof(
  fc.constantFrom({}, { userId: 'ann' }),
  fc.record(
    {
      userId: fc.constantFrom('ann', 'nobody'),
      agentId: fc.constant('ann'),
      tags: fc.subarray(['one', 'two']),
    },
    { requiredKeys: [] },
  ),
)
const cut = fc.record({
  limit: fc.constantFrom(1, 2, 10, 100),
  /** With a place it is the score of the memory at this place of the ranking. */
  threshold: fc.oneof(
    fc.record({ score: fc.constantFrom(0, 0.4321, 0.5, 0.9999, 1) }),
    fc.record({ place: fc.nat(15) }),
  ),
})
/** The memory whose vector the query has, if any. */
const meant = fc.option(fc.nat(89), { nil: undefined })

const vectorOf = ({ vector }: { vector: Float32Array }): Float32Array => vector

type Given = typeof memory extends fc.Arbitrary<infer One> ? One : never

function indexOf(workspace = new Workspace()) {
  const stored = new Map<number, IndexedPiece[]>()
  const reads: number[] = []
  const piecesOf = (no: number): IndexedPiece[] => {
    reads.push(no)
    return stored.get(no) ?? []
  }
  const termsOf = (no: number) => (stored.get(no) ?? []).map((piece) => piece.terms)
  const index = new SearchIndex({ piecesOf, termsOf, idOf: String }, workspace)
  const known = new Map<number, Given>()
  return {
    index,
    reads,
    known,
    add(no: number, given: Given): void {
      const { pieces } = given
      const { user: userId, agentId, tags, createdAt } = given
      index.add({ no, userId, agentId, tags, createdAt }, pieces)
      known.set(no, given)
      stored.set(no, pieces)
    },
    /** From the database; the index hears of it when the returned function is called. */
    remove(no: number): () => void {
      const { user: userId = '', agentId, tags = [], pieces = [] } = known.get(no) ?? {}
      const all = new Set(pieces.flatMap((piece) => piece.terms))
      known.delete(no)
      stored.delete(no)
      return () => index.remove({ no, userId, agentId, tags, terms: [...all] })
    },
  }
}

/** All that pass the filter, the best first. */
const rankedOf = (
  known: ReadonlyMap<number, Given>,
  { userId, agentId, tags = [] }: MemoryFilter,
  explain: Answer['explain'],
) =>
  [...known]
    .filter(([, { user }]) => userId === undefined || userId === user)
    .filter(([, given]) => agentId === undefined || agentId === given.agentId)
    .filter(([, given]) => tags.every((tag) => given.tags.includes(tag)))
    .map(([no, { createdAt }]) => ({ no, createdAt, score: explain(no)?.score ?? Number.NaN }))
    .sort(
      (a, b) => b.score - a.score || b.createdAt - a.createdAt || (`${a.no}` < `${b.no}` ? 1 : -1),
    )
    .map(({ no, score }) => ({ no, score }))

test('a search finds what scoring every memory exactly finds, while memories come and go', () => {
  fc.assert(
    fc.property(
      fc.array(memory, { minLength: 1, maxLength: 60 }),
      fc.array(fc.nat(59), { maxLength: 40 }),
      fc.array(memory, { maxLength: 30 }),
      fc.array(fc.tuple(query, meant, filter, cut), { minLength: 1, maxLength: 4 }),
      (first, removed, later, searches) => {
        const { index, add, remove, known } = indexOf()
        for (const [no, given] of first.entries()) add(no, given)
        for (const no of removed) remove(no)()
        for (const [place, given] of later.entries()) add(first.length + place, given)
        for (const [given, no, { userId, agentId, tags = [] }, { limit, ...from }] of searches) {
          const [vector] = known.get(no ?? -1)?.pieces[0]?.embeddings.map(vectorOf) ?? []
          const parts = given.parts.map((part) => ({ ...part, ...(vector && { vector }) }))
          const asked = { ...given, parts }
          const { explain } = answerAtOnce(index, asked, {}, { limit: 1, threshold: 1 })
          const all = rankedOf(known, { userId, agentId, tags }, explain)
          const threshold =
            'score' in from.threshold
              ? from.threshold.score
              : (all[from.threshold.place]?.score ?? 1)
          const exact = all.filter(({ score }) => score >= threshold).slice(0, limit)
          expect(
            searchAtOnce(index, asked, { userId, agentId, tags }, { limit, threshold }),
          ).toEqual(exact)
        }
      },
    ),
    { numRuns: 300 },
  )
})

/** Of one row. */
const short = memory.map(({ pieces: [piece], ...rest }) => ({
  ...rest,
  pieces: [{ terms: [], ...piece, embeddings: (piece?.embeddings ?? []).slice(0, 1) }],
}))

/** What others do between two steps of a search. */
const between = fc.oneof(
  fc.constant({ kind: 'nothing' as const }),
  fc.record({ kind: fc.constant('search' as const), query, filter, isOwn: fc.boolean() }),
  fc.record({ kind: fc.constant('expect' as const), query }),
  fc.record({ kind: fc.constant('add' as const), memory }),
  fc.record({ kind: fc.constant('remove' as const), no: fc.nat(40), isHeardOf: fc.boolean() }),
  // The new one takes the rows of the other.
  fc.record({ kind: fc.constant('replace' as const), no: fc.nat(40), memory: short }),
)

test('it finds them among what is there from its begin to its end, whatever others do between its steps', () => {
  let waited = 0
  fc.assert(
    fc.property(
      fc.array(fc.oneof(memory, short), { minLength: 1, maxLength: 40 }),
      fc.array(memory, { minLength: 1, maxLength: 60 }),
      fc.tuple(query, filter, fc.constantFrom(1, 2, 10), fc.constantFrom(0, 0.4321, 0.5)),
      fc.array(between, { minLength: 1, maxLength: 30 }),
      (first, others, [asked, given, limit, threshold], deeds) => {
        const workspace = new Workspace()
        const [own, other] = [indexOf(workspace), indexOf(workspace)]
        for (const [no, each] of first.entries()) own.add(no, each)
        for (const [no, each] of others.entries()) other.add(no, each)
        let lastNo = first.length
        const heardLater: (() => void)[] = []
        const add = (given: Given): void => {
          lastNo += 1
          own.add(lastNo, given)
        }
        const expected: SearchQuery[] = []
        const doNext = (): void => {
          const deed = deeds.shift() ?? { kind: 'nothing' }
          if (deed.kind === 'search') {
            const { index } = deed.isOwn ? own : other
            searchAtOnce(index, deed.query, deed.filter, { limit: 3, threshold: 0 })
          } else if (deed.kind === 'expect') {
            other.index.expect(deed.query)
            expected.push(deed.query)
          } else if (deed.kind === 'add') add(deed.memory)
          else if (deed.kind === 'remove') {
            const hear = own.remove(deed.no)
            if (deed.isHeardOf) hear()
            else heardLater.push(hear)
          } else if (deed.kind === 'replace') {
            own.remove(deed.no)()
            add(deed.memory)
          }
        }
        for (;;) {
          const before = new Map(own.known)
          const steps = own.index.search(asked, given, { limit, threshold })
          let step = steps.next()
          for (; step.done !== true; step = steps.next()) {
            waited += 1
            doNext()
          }
          const { ranked, gone, explain } = step.value
          const lost = [...gone, ...ranked.map(({ no }) => no).filter((no) => !own.known.has(no))]
          if (lost.length > 0) {
            for (const no of lost) own.index.hide(no)
            continue
          }
          const stayed = new Map([...before].filter(([no]) => own.known.has(no)))
          // The explanations tell of what the index has: those that nobody has heard of are removed.
          const expected = rankedOf(stayed, given, explain)
          expect(ranked).toEqual(expected.filter(({ score }) => score >= threshold).slice(0, limit))
          break
        }
        for (const hear of heardLater) hear()
        for (const each of expected) {
          const cut = { limit: 100, threshold: 0 }
          const { ranked, explain } = answerAtOnce(other.index, each, {}, cut)
          expect(ranked).toEqual(rankedOf(other.known, {}, explain))
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(waited).toBeGreaterThan(0)
})

const PLAIN: SearchQuery = {
  parts: [],
  terms: [],
  asks: false,
  identity: '=',
  calibration: calibrationOf(1, 15),
}

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

test('the very vector of the query is not found beyond the filter', () => {
  const { index, add, query } = filled()
  const embedding = { vector: unit([1, 0]), commonness: 0.6 }
  const pieces = [{ terms: [], embeddings: [embedding] }]
  add(1_000, { user: 'ben', agentId: undefined, tags: [], createdAt: 0, pieces })
  const of = (userId: string) =>
    searchAtOnce(index, query, { userId }, { limit: 3, threshold: 0.9 }).map(({ no }) => no)
  expect(of('ben')).toEqual([1_000])
  expect(of('ann')).not.toContain(1_000)
})

test('exact vectors are read of the few that may be among the best, not of all', () => {
  const { index, reads, query } = filled()
  const found = searchAtOnce(index, query, {}, { limit: 3, threshold: 0 })
  expect(found.map(({ no }) => no)).toContain(0)
  expect(reads.length).toBeGreaterThanOrEqual(1)
  expect(reads.length).toBeLessThan(150)
})

test('a calibration that spreads cosines widely spreads their bound as widely', () => {
  const { index, add, known } = indexOf()
  const wave = (pitch: number, noise: number) =>
    unit(
      Array.from({ length: 19 }, (_, axis) => Math.cos(axis * pitch) + Math.sin(noise * axis) / 50),
    )
  for (let no = 0; no < 300; no += 1) {
    const embedding = { vector: wave(1.7, no), commonness: undefined }
    const pieces = [{ terms: [], embeddings: [embedding] }]
    add(no, { user: 'ann', agentId: undefined, tags: [], createdAt: 0, pieces })
  }
  for (let no = 0; no < 20; no += 1) {
    const vector = wave(1.5, no)
    const offset = 0.8 - 100 * cosineOf(vector, wave(1.7, 0))
    const calibration = { ...calibrationOf(100, 1), cosine: { scale: 100, offset } }
    const query = { ...PLAIN, calibration, parts: [{ vector, commonness: undefined }] }
    const { explain } = answerAtOnce(index, query, {}, { limit: 1, threshold: 1 })
    const scores = [...known.keys()].map((each) => explain(each)?.score ?? 0)
    const [best] = searchAtOnce(index, query, {}, { limit: 1, threshold: 0 })
    expect(best?.score).toBe(Math.max(...scores))
  }
})

test('the room of a memory that is removed is used again', () => {
  const { add, remove, index, known } = indexOf()
  const [given] = fc.sample(memory, { numRuns: 1, seed: 1 })
  if (given === undefined) throw new Error('There is no sample.')
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
  const steps = index.search(long, {}, CUT)
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
  const steps = index.search({ ...query, parts: [query.parts, query.parts].flat() }, {}, CUT)
  steps.next()
  index.release()
  steps.return({ ranked: [], gone: [], explain: () => undefined })
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

const asked = (words: readonly string[]) =>
  words.map((word) => ({ ...term('tea'), term: word, word, alternatives: [] }))

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
