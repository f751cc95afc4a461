// A memory that is gone by the time its rows are read leaves its place to others, also to those that it had
// displaced; so does one that is not as strong as it seemed.
import { expect, onTestFinished, test, vi } from 'vitest'
import { unit } from '../../../conformance/records.ts'
import { Candidates } from '../../../ranking/candidates.ts'
import { indexOf, PLAIN } from '../../testing/index-of-memories.ts'
import { answerInSteps, inOneGo, rowsOf, searchAtOnce } from '../../testing/search-at-once.ts'
import { SpaceTables } from '../tables/space-tables.ts'
import { Workspace } from '../tables/workspace.ts'
import { ask } from './asked.ts'
import type { Offered } from './contenders.ts'
import { RowsRanking } from './rows-ranking.ts'

/** Beside one that is far, more that are near than a search keeps in hand. */
const NEAR = 1_500
const FAR = NEAR + 1

function filled() {
  const space = indexOf()
  const given = (vector: number[]) => {
    const pieces = [{ terms: [], embeddings: [{ vector: unit(vector), commonness: 0.6 }] }]
    return { user: 'ann', agentId: undefined, tags: [], createdAt: 0, pieces }
  }
  for (let no = 1; no <= NEAR; no += 1) space.add(no, given([1, 0.3 + no / 1_000]))
  space.add(FAR, given([1, 2]))
  return space
}

const queryOf = (parts: number) => ({
  ...PLAIN,
  parts: Array.from({ length: parts }, () => ({ vector: unit([1, 0]), commonness: 0.6 })),
})
const CUT = { limit: 1, threshold: 0.001, mayTakeLong: true }

test.each([1, 2, 8])(
  'of a query with %i part(s) the next best is found though nobody has heard that those before are gone',
  (parts) => {
    const { index, remove, reads } = filled()
    expect(searchAtOnce(index, queryOf(parts), {}, CUT)).toMatchObject([{ no: 1 }])
    for (let no = 1; no <= NEAR; no += 1) remove(no)
    expect(searchAtOnce(index, queryOf(parts), {}, CUT)).toMatchObject([{ no: FAR }])
    reads.length = 0
    searchAtOnce(index, queryOf(parts), {}, CUT)
    expect(reads).toEqual([FAR])
  },
)

test('a search begins again once, however many go again and again', () => {
  const { index, remove } = filled()
  const cosines = vi.spyOn(Workspace.prototype, 'cosines')
  onTestFinished(() => cosines.mockRestore())
  const steps = answerInSteps(index, queryOf(2), {}, CUT)
  let gone = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    for (const end = gone + NEAR / 5; gone < end && gone < NEAR; ) {
      gone += 1
      remove(gone)
    }
  }
  expect(step.value.ranked).toHaveLength(1)
  // Each of two parts twice.
  expect(cosines).toHaveBeenCalledTimes(4)
})

test('a few that go while a search takes long leave their places, and no row is read again', () => {
  const { index, remove, reads, known } = filled()
  let asked = 0
  const steps = index.search(queryOf(2), {}, { ...CUT, limit: 3 }, function* ({ ranked }) {
    asked += 1
    // One after the other, each when it was ranked.
    if (asked < 20) remove(asked)
    yield
    const nos = ranked.map(({ no }) => no)
    return { results: nos, gone: nos.filter((no) => !known.has(no)) }
  })
  reads.length = 0
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  expect(step.value).toEqual([20, 21, 22])
  expect(asked).toBe(20)
  expect(new Set(reads).size).toBe(reads.length)
})

test.each([1, 2])(
  'of %i place(s) none is taken by a memory whose score was only likely and is too low',
  (limit) => {
    const workspace = new Workspace()
    const asked = ask(new SpaceTables(workspace, undefined), workspace.wordPoints, queryOf(1))
    const rows = rowsOf((no) => [
      {
        terms: [],
        embeddings: [{ vector: unit(no === FAR ? [1, 2] : [1, 0.3]), commonness: 0.6 }],
      },
    ])
    const candidates = new Candidates<Offered>(
      { limit: Number.POSITIVE_INFINITY, threshold: 0 },
      0,
      asked.weights,
    )
    const offered = {
      createdAt: 0,
      isMaybeSame: false,
      isOneRow: true,
      isOnePiece: true,
      withoutWords: 0,
    }
    candidates.offer({ ...offered, no: FAR, strength: 0.9 })
    candidates.offer({ ...offered, no: 1, strength: 0.6 })
    const bounds = { rough: 0, close: 0, areLikely: true }
    const ranking = new RowsRanking(rows, asked, { candidates, bounds }, { limit, threshold: 0.5 })
    const found = ranking.results(
      () => undefined,
      function* ({ ranked }) {
        yield
        return { results: ranked.map(({ no }) => no), gone: [] }
      },
    )
    expect(inOneGo(found)).toEqual({ results: [1] })
  },
)
