// Memories for measuring the store alone: some thousand embedded sentences, each many times over with a
// vector near its own (mixed with another one and with noise), since embedding a hundred thousand takes half
// an hour. Two stores that are filled from it hold the same.
import { ordinarySentences } from '../../eval/data/long-texts.ts'
import type { Piece, SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import { rarityInEnglish } from '../../packages/server/src/retrieval/rarity.ts'
import { searchQueryOf } from '../../packages/server/src/retrieval/search-query.ts'
import type { MemoryRecord } from '../../packages/server/src/storage/records.ts'
import { openModel } from '../data/model.ts'
import { generator, normal } from '../data/random.ts'
import { DIMENSION } from '../data/sample.ts'

const EMBEDDED = 4_000
const QUERIES = 100
const NOISE = 0.015
const CHARACTERS_A_SENTENCE = 75

export type MixedMemories = {
  /** The memory and its only piece; the same for the same number. */
  memory: (number: number) => { memory: MemoryRecord; pieces: Piece[] }
  queries: SearchQuery[]
}

export async function mixedMemories(): Promise<MixedMemories> {
  const sentences = ordinarySentences(EMBEDDED * CHARACTERS_A_SENTENCE, 7).slice(0, EMBEDDED)
  await using embedder = await openModel(2)
  const vectors = await Promise.all(
    sentences.map(async (text) => (await embedder.embedMemory(text))[0]?.vector),
  )
  const real = vectors.flatMap((vector) => vector ?? [])
  const rarity = rarityInEnglish()
  const asked = ordinarySentences(20_000, 11).slice(0, QUERIES)
  const queries = await Promise.all(
    asked.map(async (text) =>
      searchQueryOf(text, await embedder.embedQuery(text), rarity, embedder.model.calibration),
    ),
  )
  return { queries, memory: (number) => memoryOf(number, sentences, real) }
}

function memoryOf(number: number, sentences: readonly string[], real: readonly Float32Array[]) {
  const content = `${sentences[number % sentences.length]} (${number})`
  const memory: MemoryRecord = {
    id: `mem_${String(number).padStart(9, '0')}`,
    content,
    userId: `user-${number % 20}`,
    agentId: undefined,
    tags: [`tag-${number % 10}`],
    metadata: undefined,
    createdAt: 1_700_000_000_000 + number,
  }
  const vector = mixed(number, real)
  const piece = { start: 0, end: content.length, vector, commonness: 0.5, sentences: [] }
  return { memory, pieces: [piece] }
}

function mixed(number: number, real: readonly Float32Array[]): Float32Array {
  const random = generator(number)
  const one = real[number % real.length] ?? new Float32Array(DIMENSION)
  const other = real[Math.floor(random() * real.length)] ?? one
  const share = 0.1 + 0.4 * random()
  const vector = one.map(
    (value, axis) => (1 - share) * value + share * (other[axis] ?? 0) + NOISE * normal(random),
  )
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
