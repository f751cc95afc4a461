// Between the steps of a long query memories come and go, and the rows of one that is gone are another's next.
import { expect, test } from 'vitest'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { CALIBRATION, queryOf, termOf, unit } from '../../conformance/records.ts'
import { across, type Given, removedMemory } from '../testing/large-space.ts'
import { answerInSteps, rowsOf, searchAtOnce } from '../testing/search-at-once.ts'
import { SearchIndex } from './search-index.ts'
import { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

const DIMENSION = 384
/** Half of them are looked at for a part of the query. */
const CROWD = 4_000

const random = randomNumbers(5)
const direction = (): Float32Array => unit(Array.from({ length: DIMENSION }, () => random() - 0.5))
const between = (one: Float32Array, other: Float32Array): Float32Array =>
  unit([...one].map((value, axis) => value + (other[axis] ?? 0)))

const given = (no: number, vector: Float32Array, terms: string[] = []): Given => ({
  memory: { no, userId: 'user', agentId: undefined, tags: [], createdAt: no },
  pieces: [{ terms, embeddings: [{ vector, commonness: 0.5 }] }],
})

test('who gets the rows of another one does not pass for what that one was', () => {
  const all = new Map<number, Given>()
  const rows = rowsOf((no) => all.get(no)?.pieces ?? [])
  const index = new SearchIndex(rows, new Workspace(), new Centroid(new Float32Array(DIMENSION)))
  const add = (each: Given): void => {
    all.set(each.memory.no, each)
    index.add(each.memory, each.pieces)
  }
  const first = direction()
  const second = across(direction(), first)
  for (let no = 1; no <= CROWD; no += 1) add(given(no, between(first, direction())))
  const best = given(CROWD + 1, between(first, second))
  const gone = given(
    CROWD + 2,
    first.map((value) => -value),
    ['tea'],
  )
  add(best)
  add(gone)
  const query = {
    ...queryOf([]),
    parts: [first, second].map((vector) => ({ vector, commonness: 0.5 })),
    terms: [termOf('tea', { isName: true })],
    asks: true,
    calibration: { ...CALIBRATION, cosine: { scale: 1, offset: 0 } },
  }
  const asked = [query, {}, { limit: 1, threshold: 0 }] as const
  const expected = [expect.objectContaining({ no: best.memory.no })]
  expect(searchAtOnce(index, ...asked)).toEqual(expected)
  const steps = answerInSteps(index, ...asked)
  // What lies near the first part is compared with both.
  steps.next()
  steps.next()
  all.delete(gone.memory.no)
  index.remove(removedMemory(gone))
  add(given(CROWD + 3, second))
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  expect(step.value.ranked).toEqual(expected)
})
