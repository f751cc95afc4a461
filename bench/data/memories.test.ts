// The memories of the benchmark are what its rows say: filters find as many as their names promise, and a
// number always gives the same memory.
import { expect, test } from 'vitest'
import { passes } from '../../packages/server/src/storage/conformance/oracle.ts'
import { FILTERS, memoryAt, recordAt } from './memories.ts'
import { generator, normal } from './random.ts'
import type { Sample } from './sample.ts'

const SIZE = 10_000
const random = generator(3)
const texts = Array.from({ length: 40 }, (_, place) => {
  const vector = Float32Array.from({ length: 16 }, () => normal(random))
  const length = Math.hypot(...vector)
  const text = `Sentence ${place} has some words of its own.`
  return { text, vector: vector.map((value) => value / length), commonness: 0.5 }
})
const sample: Sample = { texts, asked: [], queries: [] }
const records = Array.from({ length: SIZE }, (_, number) => ({
  ...recordAt(number, SIZE),
  content: '',
}))
const matching = (name: string): number =>
  records.filter((record) => passes(record, FILTERS[name] ?? {})).length

test('the filters find as many memories as their names say', () => {
  expect(matching('no filter')).toBe(SIZE)
  expect(matching('user with 100')).toBe(100)
  expect(matching('user with 10 %')).toBe(SIZE / 10)
  expect(matching('two tags, 6 %') / SIZE).toBeCloseTo(0.0625, 2)
})

test('the first memories are the real texts, later ones have their words and stay the same', () => {
  expect(memoryAt(sample, 7, SIZE, 'plain').memory.content).toBe(texts[7]?.text)
  const later = memoryAt(sample, 4_321, SIZE, 'plain')
  expect(later).toEqual(memoryAt(sample, 4_321, SIZE, 'plain'))
  expect(later.memory.content).toMatch(/^Sentence \d+ has some words of its own\.$/)
})

test('memories of several sentences have about 2.7 vectors, and each sentence lies where it says', () => {
  const made = Array.from({ length: 1_000 }, (_, number) =>
    memoryAt(sample, number, SIZE, 'sentences'),
  )
  const vectors = made.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => [piece, ...piece.sentences]),
  )
  expect(vectors.length / made.length).toBeCloseTo(2.7, 1)
  for (const { memory, pieces } of made) {
    const [piece] = pieces
    expect(piece?.end).toBe(memory.content.length)
    const parts = piece?.sentences.map(({ start, end }) => memory.content.slice(start, end)) ?? []
    if (parts.length > 0) expect(parts.join(' ')).toBe(memory.content)
  }
})
