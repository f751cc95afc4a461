// What every embedder is held to, whatever makes its vectors: searches rely on exactly this.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passage, Piece, QueryPart } from '../retrieval/evidence.ts'
import type { Embedder } from './embedder.ts'

const CONTENT_LENGTH_MAX = 10_000
const filled = (part: string): string =>
  part.repeat(Math.ceil(CONTENT_LENGTH_MAX / part.length)).slice(0, CONTENT_LENGTH_MAX)

const SENTENCES = filled('The kettle sings at noon. A cat sleeps on the mat. Nobody minds it.\r\n')
const ODD_TEXTS: [string, string][] = [
  ['of one character', 'x'],
  ['of one mark', '.'],
  ['of emoji', '👩‍👩‍👧‍👦😀🇩🇪1️⃣'.repeat(50)],
  ['in Chinese and Japanese', '記憶は意味で見つかる。我喜歡咖啡，'.repeat(50)],
  ['in Thai, which has no spaces', 'ภาษาไทยไม่มีช่องว่าง'.repeat(50)],
  ['from right to left', 'الذاكرة تجد المعنى '.repeat(20)],
  ['of combining marks', `e${'\u0301\u0323'.repeat(500)}`],
  ['of control characters', '\u0001\u0002 \u200b\u00ad\ufeff'],
  ['of 10,000 letters without a space', filled('abcdefghijklmnopqrstuvwxyz0123456789')],
  ['of 10,000 line breaks and letters', filled('a\n')],
  ['of 9,999 spaces and a letter', `${' '.repeat(CONTENT_LENGTH_MAX - 1)}x`],
  ['of 10,000 full stops', filled('.')],
]

const vectorsOf = (embedded: readonly QueryPart[]): number[][] =>
  embedded.map(({ vector }) => [...vector])

/** Of the pieces and their sentences. */
const embeddingsIn = (pieces: readonly Piece[]): Passage[] =>
  pieces.flatMap((piece) => [piece, ...piece.sentences])

function expectWhole(text: string, pieces: Piece[]): void {
  expect(pieces[0]?.start).toBe(0)
  expect(pieces.at(-1)?.end).toBe(text.length)
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    for (const { start, end } of piece.sentences) {
      expect(start).toBeGreaterThanOrEqual(piece.start)
      expect(end).toBeGreaterThan(start)
      expect(end).toBeLessThanOrEqual(text.length)
    }
    if (before === undefined) continue
    expect(piece.start).toBeGreaterThan(before.start)
    expect(piece.start).toBeLessThanOrEqual(before.end)
    expect(piece.end).toBeGreaterThan(before.end)
  }
}

export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(`the ${name} embedder`, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await open()
    })
    afterAll(() => embedder.close())

    function expectUnitVectors(embedded: readonly QueryPart[]): void {
      expect(embedded.length).toBeGreaterThan(0)
      for (const { vector } of embedded) {
        expect(vector).toBeInstanceOf(Float32Array)
        expect(vector).toHaveLength(embedder.model.dimension)
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
      }
    }

    test('is ready and names its model', () => {
      expect(embedder.isReady()).toBe(true)
      expect(embedder.model.id).not.toBe('')
      expect(embedder.model.dimension).toBeGreaterThan(0)
    })

    test('gives vectors of unit length and of the announced dimension', async () => {
      const pieces = await embedder.embedMemory('Anna prefers dark roast coffee.')
      expectUnitVectors(embeddingsIn(pieces))
      expectUnitVectors(await embedder.embedQuery('What does Anna drink?'))
    })

    test('gives the same vector for the same text, alone and among others', async () => {
      const text = 'The quick brown fox jumps over the lazy dog.'
      const alone = vectorsOf(await embedder.embedMemory(text))
      const others = [SENTENCES, 'x', text, filled('Another one, much longer. '), text, '記憶']
      const among = await Promise.all(others.map((other) => embedder.embedMemory(other)))
      expect(vectorsOf(among[2] ?? [])).toEqual(alone)
      expect(vectorsOf(among[4] ?? [])).toEqual(alone)
      const longAlone = await embedder.embedMemory(SENTENCES)
      expect(vectorsOf(among[0] ?? [])).toEqual(vectorsOf(longAlone))
    })

    test('gives the same vectors for a query as for a memory', async () => {
      const query = await embedder.embedQuery(SENTENCES)
      const memory = await embedder.embedMemory(SENTENCES)
      expect(vectorsOf(query)).toEqual(vectorsOf(memory))
    })

    test('gives different vectors for different texts', async () => {
      const [coffee, ship] = await Promise.all(
        ['dark roast coffee', 'a ship in the harbour'].map((text) => embedder.embedMemory(text)),
      )
      expect(vectorsOf(coffee ?? [])).not.toEqual(vectorsOf(ship ?? []))
    })

    test('covers a long text whole, in order, with pieces that overlap', async () => {
      const pieces = await embedder.embedMemory(SENTENCES)
      expectWhole(SENTENCES, pieces)
      expectUnitVectors(embeddingsIn(pieces))
      for (const [index, piece] of pieces.entries()) {
        expect(piece.start).toBeLessThan(pieces[index - 1]?.end ?? 1)
      }
    })

    test.each(ODD_TEXTS)('embeds a text %s whole', async (_, text) => {
      const pieces = await embedder.embedMemory(text)
      expectWhole(text, pieces)
      expectUnitVectors(embeddingsIn(pieces))
      expectUnitVectors(await embedder.embedQuery(text))
    })
  })
}
