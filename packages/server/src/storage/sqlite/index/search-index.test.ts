// That a search finds what scoring each memory from its rows finds: an explanation does that, one memory
// at a time and without the scan. The suite in storage/conformance holds both to the rule.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { numberBetween } from '../../../testing/arbitrary-number.ts'
import { unit } from '../../conformance/records.ts'
import { cosineOf } from '../../ranking/cosine.ts'
import type { MemoryFilter } from '../../store.ts'
import { calibrationOf, type Given, indexOf, PLAIN, term } from '../testing/index-of-memories.ts'
import { answerAtOnce, searchAtOnce } from '../testing/search-at-once.ts'
import type { Answer } from './search/rows-ranking.ts'
import { Workspace } from './tables/workspace.ts'

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
        const before = new Set(own.known.keys())
        const cut = { limit, threshold }
        const steps = own.index.search(asked, given, cut, function* (answer) {
          yield
          const gone = answer.ranked.map(({ no }) => no).filter((no) => !own.known.has(no))
          return { results: answer, gone }
        })
        let step = steps.next()
        for (; step.done !== true; step = steps.next()) {
          waited += 1
          doNext()
        }
        const { ranked, explain } = step.value
        // One that came later may be found.
        for (const { no } of ranked) before.add(no)
        const stayed = new Map([...own.known].filter(([no]) => before.has(no)))
        // The explanations tell of what the index has: those that nobody has heard of are removed.
        const best = rankedOf(stayed, given, explain)
        expect(ranked).toEqual(best.filter(({ score }) => score >= threshold).slice(0, limit))
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

test('the very vector of the query is not found beyond the filter', () => {
  const { index, add } = indexOf()
  const same = { vector: unit([1, 0]), commonness: 0.6 }
  const near = { vector: unit([1, 0.1]), commonness: 0.6 }
  const given = (user: string, embedding: typeof same) => {
    const pieces = [{ terms: [], embeddings: [embedding] }]
    return { user, agentId: undefined, tags: [], createdAt: 0, pieces }
  }
  add(1, given('ben', same))
  for (let no = 2; no < 1_000; no += 1) add(no, given('ann', near))
  const of = (userId: string) =>
    searchAtOnce(index, { ...PLAIN, parts: [same] }, { userId }, { limit: 3, threshold: 0.9 }).map(
      ({ no }) => no,
    )
  expect(of('ben')).toEqual([1])
  expect(of('ann')).not.toContain(1)
  expect(of('ann')).toHaveLength(3)
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
