// A space that is too large to be searched exactly, the same in each run: vectors as a model makes them,
// around some topics, terms of every frequency, and memories that came, went and left their rows to others.
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { CALIBRATION, termOf, unit } from '../../conformance/records.ts'
import { SearchIndex } from '../index/search-index.ts'
import type { IndexedMemory, IndexedPiece } from '../index/tables/indexed.ts'
import { Workspace } from '../index/tables/workspace.ts'
import { Centroid } from '../index/vectors/centroid.ts'
import { rowsOf } from './search-at-once.ts'

/** Beside some that came later. */
const MEMORIES = 6_000
const GONE = 500
const LATE = 100
/** The greatest number of a memory. */
export const LAST_NO = MEMORIES + GONE + LATE
const DIMENSION = 96
const TOPICS = 60
const TERMS = ['tea', 'milk', 'dusk', 'dawn', 'rye', 'oat']

export type Given = { memory: IndexedMemory; pieces: IndexedPiece[] }
export type LargeSpace = ReturnType<typeof largeSpace>

export function largeSpace() {
  const random = randomNumbers(7)
  const noise = (): number => random() + random() + random() - 1.5
  const direction = (): number[] => Array.from({ length: DIMENSION }, noise)
  /** On which all vectors of a model lie. */
  const side = direction()
  const topics = Array.from({ length: TOPICS }, direction)
  const near = (topic: number, spread: number): Float32Array =>
    unit(
      direction().map(
        (value, axis) =>
          (topics[topic % TOPICS]?.[axis] ?? 0) + spread * value + 1.5 * (side[axis] ?? 0),
      ),
    )

  const given = (no: number): Given => {
    const several = no % 10 === 0
    const pieces = Array.from({ length: several ? 2 : 1 }, () => ({
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

  const all = new Map<number, Given>()
  const rows = rowsOf((no) => all.get(no)?.pieces ?? [])
  const workspace = new Workspace()

  for (let no = 1; no <= MEMORIES + GONE; no += 1) all.set(no, given(no))
  const sample = [...all.values()].slice(0, 200)
  const centroid = Centroid.of(
    sample.flatMap(({ pieces }) => pieces[0]?.embeddings[0]?.vector ?? []),
  )
  const index = new SearchIndex(rows, workspace, centroid)
  for (const { memory, pieces } of all.values()) index.add(memory, pieces)

  const add = (each: Given): void => {
    all.set(each.memory.no, each)
    index.add(each.memory, each.pieces)
  }
  const remove = (each: Given): void => {
    all.delete(each.memory.no)
    index.remove(removedMemory(each))
  }

  for (const each of [...all.values()].slice(0, GONE)) remove(each)
  for (let no = MEMORIES + GONE + 1; no <= LAST_NO; no += 1) add(given(no))
  return { all, rows, workspace, index, side, near, given, queryOf, add, remove }
}

export const removedMemory = ({ memory, pieces }: Given) => ({
  ...memory,
  terms: [...new Set(pieces.flatMap(({ terms }) => terms))],
})

const term = (word: string) =>
  termOf(word, { alternatives: word === 'rye' ? ['oat'] : [], isName: word === 'dusk' })

/** What of the vector is at a right angle to the other, made a unit. */
export function across(vector: Float32Array, other: Float32Array): Float32Array {
  const product = vector.reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0)
  return unit([...vector].map((value, axis) => value - product * (other[axis] ?? 0)))
}
