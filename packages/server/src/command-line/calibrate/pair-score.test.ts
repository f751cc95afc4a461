// The score of a pair is the one that a search gives: beside it stands the oracle's search of a
// space that has this one memory.
import { expect, test } from 'vitest'
import { rarityInEnglish } from '../../retrieval/rarity.ts'
import { searchQueryOf } from '../../retrieval/search-query.ts'
import { exactSearch } from '../../storage/conformance/oracle.ts'
import { CALIBRATION, memoryOf, passageOf, pieceOf } from '../../storage/conformance/records.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { pairScore } from './pair-score.ts'

const rarity = rarityInEnglish()
const READING_ENGLISH = { ...CALIBRATION, scripts: { Latin: 0.1 } }

test.each([
  ['Anna likes dark roast coffee.', 'Anna likes dark roast coffee.'],
  ['Anna likes dark roast coffee.', 'What does Anna drink?'],
  ['Does Anna like coffee?', 'She likes coffee in the morning.'],
  ['Call 555 012 3456.', 'Whose number is 555-0123456?'],
  ['A horse eats an apple.', 'A horse eats an aplpe.'],
  ['The harbour was closed.', 'Anna sleeps.'],
  ['Invoice 2024-118 was paid on May 3.', 'Was invoice 2024-119 paid?'],
  ['Anna mag Kaffee, aber der Tee ist auch gut.', 'Was mag die Anna und der Ole?'],
])('the score of %j for %j is that of a search', async (a, b) => {
  const embedder = fakeEmbedder()
  const query = await embedder.embedQuery(b)
  const memory = await embedder.embedMemory(a)
  const asked = searchQueryOf(b, query, rarity, READING_ENGLISH)
  const stored = [{ memory: memoryOf({ content: a }), pieces: memory }]
  const [found] = exactSearch(stored, asked, {}, { limit: 1, threshold: 0 })
  expect(pairScore({ a, b, rating: 5, memory, query }, READING_ENGLISH, rarity)).toBe(found?.score)
})

test('looks at every piece and sentence, each with the words of its piece', () => {
  const content = 'green tea\nwith milk'
  const pieces = [
    pieceOf('', [1, 0, 0, 0, 0], { end: 9, sentences: [passageOf(0, 5, [0, 1, 0, 0, 0], 0.25)] }),
    pieceOf('', [0, 0, 1, 0, 0], { start: 10, end: content.length, commonness: 0.75 }),
  ]
  const stored = [{ memory: memoryOf({ content }), pieces }]
  for (const direction of [
    [1, 1, 0, 0, 0],
    [0, 0, 1, 1, 0],
    [1, 0, 1, 0, 0],
  ]) {
    const query = [passageOf(0, 0, direction, 0.5), passageOf(0, 0, [0, 1, 1, 0, 0])]
    const asked = searchQueryOf('Green milk', query, rarity, CALIBRATION)
    const [found] = exactSearch(stored, asked, {}, { limit: 1, threshold: 0 })
    const pair = { a: content, b: 'Green milk', rating: 5, memory: pieces, query }
    expect(pairScore(pair, CALIBRATION, rarity)).toBe(found?.score)
  }
})

test('of a text of which the model knows nothing is not 1 for another one with the same vector', () => {
  const memory = [pieceOf('猫', [1, 0, 0, 0, 0])]
  const query = [{ ...passageOf(0, 0, [1, 0, 0, 0, 0]), hasUnknown: true, isUnread: true }]
  const stored = [{ memory: memoryOf({ content: '猫' }), pieces: memory }]
  const asked = searchQueryOf('狗', query, rarity, READING_ENGLISH)
  const [found] = exactSearch(stored, asked, {}, { limit: 1, threshold: 0 })
  const pair = { a: '猫', b: '狗', rating: 0, memory, query }
  expect(pairScore(pair, READING_ENGLISH, rarity)).toBe(found?.score)
  expect(found?.score).toBeLessThan(1)
})

test('of a text for itself is 1, also when the model has other vectors for queries', () => {
  const memory = [pieceOf('tea', [1, 0, 0, 0, 0])]
  const query = [passageOf(0, 0, [0, 1, 0, 0, 0])]
  expect(pairScore({ a: 'tea', b: 'tea', rating: 5, memory, query }, CALIBRATION, rarity)).toBe(1)
})
